// What a library printed or says of a failure, as one line for a report.
#ifndef TARGET_SENTENCE_H
#define TARGET_SENTENCE_H

#include <stddef.h>

// Lines are separated by semicolons, and what only lays them out is left out.
void sentence_put(char *out, size_t room, const char *text);

#endif
