// The statements of a C source (c_tokens.h, without directives), by lines: enough of its structure to say where a block of lines can
// begin and end.
#ifndef REPAIR_STATEMENTS_H
#define REPAIR_STATEMENTS_H

#include "repair/c_tokens.h"

// Whole statements that stand one after the other, on lines of their own.
struct statement_run {
    uint32_t from, to;
    uint32_t function; // the first line of the function's definition
    bool leaves;       // control may leave them otherwise than at their end …
    bool returns;      // … and the last of them is a return
};

// The fewest that have these lines in them. Null, or why there are none: "it …".
const char *statements_cover(const struct c_tokens *s, uint32_t from, uint32_t to, struct statement_run *run);

// The whole body of the function that the line is in.
const char *statements_body(const struct c_tokens *s, uint32_t line, struct statement_run *run);

// Widens the lines to the innermost loop that has them all in it; false if there is none.
bool statements_widen_to_loop(const struct c_tokens *s, uint32_t *from, uint32_t *to);

// Whether there is a loop with all of its lines among these.
bool statements_have_loop(const struct c_tokens *s, uint32_t from, uint32_t to);

#endif
