// The assembler's input, line by line, as gcc and clang write it.
#ifndef BUILD_ASSEMBLY_LINES_H
#define BUILD_ASSEMBLY_LINES_H

#include <stdbool.h>
#include <stddef.h>

// A copy that the caller frees, with no null character in it but the one behind its end.
char *lines_copy(const char *text, size_t size);

// Each line of it in turn, ended by a null character for the time being.
void lines_each(char *copy, void (*act)(void *context, const char *line, size_t length), void *context);

// Whether the line begins or ends inline assembly; blanks are skipped before.
bool lines_opens_assembly(const char *line);
bool lines_closes_assembly(const char *line);

// With its colon; 0 if the text begins with no label.
size_t lines_label(const char *text);

// Whether the text is this directive, whatever its operands.
bool lines_is_directive(const char *text, const char *name);

// Without a comment and blanks at its end.
size_t lines_instruction(const char *text);

#endif
