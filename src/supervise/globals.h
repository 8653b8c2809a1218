// Variables of an executable by names that hold for another build of it: a symbol and an offset.
#ifndef SUPERVISE_GLOBALS_H
#define SUPERVISE_GLOBALS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"

// Appends "counter+8", or "counter#2+8" for the second symbol of that name; where no symbol holds the address, the address
// in hexadecimal, and the answer is false.
bool globals_name(const char *program, uint64_t address, struct buffer *out);

// The address of such a name; false if the program has no such symbol.
bool globals_find(const char *program, const char *name, uint64_t *address);

// Whether the text is a name or an address at all.
bool globals_is_name(const char *text);

// A number that changes with the program's code.
uint64_t globals_code_hash(const char *program);

#endif
