// A C source with OpenMP directives, as tokens: enough of its structure to find parallel regions and what they mention.
//
// It is read from what the preprocessor makes of it, so that what is left out by conditions is not there, and macros are what
// they stand for. A directive is one token.
#ifndef REPAIR_OMP_SOURCE_H
#define REPAIR_OMP_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct omp_token {
    const char *text; // in what was read, which is kept
    uint32_t length;
    uint32_t line;
    uint32_t match; // of a bracket: the other one; of anything else itself
    bool own;       // stands in the source, not in what it includes
    bool directive; // a whole line, "#pragma …"
};

struct omp_source {
    char *text;
    struct omp_token *token; // ends with an empty one
    uint32_t count;
    size_t room;
};

// Tokens from `first` up to, but not including, `end`.
struct omp_extent {
    uint32_t first, end;
};

// `text` is the preprocessor's output, `file` the name by which its line marks call the source.
struct omp_source *omp_source_read(const char *text, const char *file);
void omp_source_free(struct omp_source *s);

bool omp_is(const struct omp_token *t, const char *word);
bool omp_is_word(const struct omp_token *t); // an identifier or keyword
bool omp_same(const struct omp_token *a, const struct omp_token *b);

// Whether a directive is of OpenMP and has this word among its first ones, which say its kind.
bool omp_directive_has(const struct omp_token *t, const char *word);

// After the bracket that closes the one at i; after i if there is none.
uint32_t omp_after_bracket(const struct omp_source *s, uint32_t i);

// Where the statement that begins at i ends, with the directives in front of it.
uint32_t omp_statement_end(const struct omp_source *s, uint32_t i);

// Whether a `for`, `while` or `do` begins a loop at i.
bool omp_is_loop(const struct omp_source *s, uint32_t i);

// The body of the function, from brace to brace, that has the token in it; false if none has.
bool omp_function_of(const struct omp_source *s, uint32_t at, struct omp_extent *body);

// The first token of the source's own on this line or after it; `count` if there is none.
uint32_t omp_token_at(const struct omp_source *s, uint32_t line);

// Whether the token mentions the variable: is its name, and no member's.
bool omp_mentions(const struct omp_source *s, uint32_t i, const char *name);
bool omp_range_mentions(const struct omp_source *s, struct omp_extent range, const char *name);

#endif
