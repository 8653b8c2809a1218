// A C source as tokens, with the brackets that belong together.
//
// It is read from what the preprocessor makes of it, so that what is left out by conditions is not there, and macros are what
// they stand for. A directive is one token, or none.
#ifndef REPAIR_C_TOKENS_H
#define REPAIR_C_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct c_token {
    const char *text; // in what was read, which is kept
    uint32_t length;
    uint32_t line;
    uint32_t match; // of a bracket: the other one; of anything else itself
    bool own;       // stands in the source, not in what it includes
    bool directive; // a whole line, "#pragma …"
};

struct c_tokens {
    char *text;
    struct c_token *token; // ends with an empty one
    uint32_t count;
    size_t room;
};

// Tokens from `first` up to, but not including, `end`.
struct c_extent {
    uint32_t first, end;
};

// `text` is the preprocessor's output, `file` the name by which its line marks call the source. `directives`: these are tokens, too.
struct c_tokens *c_tokens_read(const char *text, const char *file, bool directives);
void c_tokens_free(struct c_tokens *s);

bool c_token_is(const struct c_token *t, const char *word);
bool c_token_is_word(const struct c_token *t); // an identifier or keyword
bool c_token_same(const struct c_token *a, const struct c_token *b);

// After the bracket that closes the one at i; after i if there is none.
uint32_t c_tokens_after_bracket(const struct c_tokens *s, uint32_t i);

// Whether a `for`, `while` or `do` begins a loop at i; the `while` at the end of another does not count.
bool c_tokens_have_loop_at(const struct c_tokens *s, uint32_t i);

#endif
