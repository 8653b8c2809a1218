// What calls take and give: 64-bit words. An integer is itself; nil, false, true and texts are words at the very bottom of
// the range, which integers of that size share by being texts themselves.
#ifndef HISTORY_VALUE_H
#define HISTORY_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/table.h"

#define VALUE_NIL INT64_MIN
#define VALUE_FALSE (INT64_MIN + 1)
#define VALUE_TRUE (INT64_MIN + 2)
#define VALUE_TEXTS (INT64_MIN + 16)                    // the first text
#define VALUE_INTEGERS (INT64_MIN + ((int64_t)1 << 32)) // the least integer

static inline int64_t value_of_bool(bool yes)
{
    return yes ? VALUE_TRUE : VALUE_FALSE;
}

static inline bool value_is_integer(int64_t value)
{
    return value >= VALUE_INTEGERS;
}

// Texts by their words; zero-initialised is empty.
struct values {
    struct table texts;
};

// The word of a text: the same for equal texts.
int64_t value_of_text(struct values *values, const char *text, size_t length);

// The word of what a user wrote: 5, nil, true, or any other text.
int64_t value_of_word(struct values *values, const char *word);

// The text of a word that value_of_text gave, or null.
const char *value_text(const struct values *values, int64_t word);

// Writes a value as people read it: 5, nil, true, text. At most `room` bytes with the final zero, cut if need be.
// Returns `out`. `values` may be null.
const char *value_show(const struct values *values, int64_t word, char *out, size_t room);

void values_free(struct values *values);

#endif
