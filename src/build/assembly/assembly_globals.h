// Room behind each global variable of a compiler's output (model/globals.h).
//
// A variable is a label of which the compiler says that it is an object, in one of the sections that compilers choose themselves,
// with the data that follow it. In a section that the source names, variables may form an array that the linker puts together;
// one that several objects share or merge may go away. Those stay as they are.
#ifndef BUILD_ASSEMBLY_GLOBALS_H
#define BUILD_ASSEMBLY_GLOBALS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

struct globals;

struct globals *globals_new(void);
void globals_free(struct globals *globals);

// A line of the compiler's own text, before it is written. Adds to `text` what has to stand in front of it, and returns whether
// that takes its place.
bool globals_line(struct globals *globals, const char *line, struct buffer *text);

// When all lines were given.
void globals_end(struct globals *globals, struct buffer *text);

size_t globals_count(const struct globals *globals);

// The table, in the section at hand, and the label `.Lheddle_globals` in front of it.
void globals_write(const struct globals *globals, struct buffer *text);

#endif
