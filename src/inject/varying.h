// Calls that answer something else each time, whatever the program does: they keep runs from being compared.
#ifndef INJECT_VARYING_H
#define INJECT_VARYING_H

#include <stddef.h>

// Those that the program imports, with commas; empty if there are none, or it cannot be read.
void varying_calls(const char *program, char *names, size_t room);

#endif
