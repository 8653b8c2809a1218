// The statements of a C source, by lines: enough of its structure to say where a block of lines can begin and end.
//
// It is read from what the preprocessor makes of it, so that what is left out by conditions is not there, and macros are what
// they stand for.
#ifndef REPAIR_STATEMENTS_H
#define REPAIR_STATEMENTS_H

#include <stdbool.h>
#include <stdint.h>

struct statements;

// `text` is the preprocessor's output, `file` the name by which its line marks call the source.
struct statements *statements_read(const char *text, const char *file);
void statements_free(struct statements *s);

// Whole statements that stand one after the other, on lines of their own.
struct statement_run {
    uint32_t from, to;
    uint32_t function; // the first line of the function's definition
    bool leaves;       // control may leave them otherwise than at their end …
    bool returns;      // … and the last of them is a return
};

// The fewest that have these lines in them. Null, or why there are none: "it …".
const char *statements_cover(const struct statements *s, uint32_t from, uint32_t to, struct statement_run *run);

// The whole body of the function that the line is in.
const char *statements_body(const struct statements *s, uint32_t line, struct statement_run *run);

// Widens the lines to the innermost loop that has them all in it; false if there is none.
bool statements_widen_to_loop(const struct statements *s, uint32_t *from, uint32_t *to);

// Whether there is a loop with all of its lines among these.
bool statements_have_loop(const struct statements *s, uint32_t from, uint32_t to);

#endif
