// Whether a program is still the one that ran: its machine code as a number.
#ifndef TRACE_CODE_IDENTITY_H
#define TRACE_CODE_IDENTITY_H

#include <stdint.h>

// Of the parts of an ELF file that are executed; 0: it cannot be read.
uint64_t code_identity(const char *path);

#endif
