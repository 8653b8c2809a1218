// A C source with OpenMP directives, as tokens (c_tokens.h): enough of its structure to find parallel regions and what they mention.
#ifndef REPAIR_OMP_SOURCE_H
#define REPAIR_OMP_SOURCE_H

#include "repair/c_tokens.h"

// Whether a directive is of OpenMP and has this word among its first ones, which say its kind.
bool omp_directive_has(const struct c_token *t, const char *word);

// Where the statement that begins at i ends, with the directives in front of it.
uint32_t omp_statement_end(const struct c_tokens *s, uint32_t i);

// The body of the function, from brace to brace, that has the token in it; false if none has.
bool omp_function_of(const struct c_tokens *s, uint32_t at, struct c_extent *body);

// The first token of the source's own on this line or after it; `count` if there is none.
uint32_t omp_token_at(const struct c_tokens *s, uint32_t line);

// Whether the token mentions the variable: is its name, and no member's.
bool omp_mentions(const struct c_tokens *s, uint32_t i, const char *name);
bool omp_range_mentions(const struct c_tokens *s, struct c_extent range, const char *name);

#endif
