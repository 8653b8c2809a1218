// Reads EDN and JSON, one form after the other, with line numbers. A file is a sequence of forms, or one list of them. A file
// that begins with a byte-order mark and a map that has a key twice are errors: nobody can say what was meant.
#ifndef HISTORY_FORM_H
#define HISTORY_FORM_H

#include "history/value.h"

enum form_kind { FORM_NIL, FORM_FALSE, FORM_TRUE, FORM_INTEGER, FORM_TEXT, FORM_LIST, FORM_SET, FORM_MAP };

struct form {
    enum form_kind kind;
    uint32_t line, count; // of a list or set: its forms; of a map: keys and values in turns
    int64_t integer;
    const char *text; // not terminated; a keyword begins with its colon, what else has no kind of its own is as written
    size_t length;
    struct form *first, *next;
};

struct forms {
    char *at, *end;
    uint32_t line;
    bool json;
    bool inside; // of the list that is the file
    const char *error;
    struct form_block *blocks, *block;
    size_t used;
};

// Whether it looks like JSON: the first key of the first map is a text, where EDN has a keyword.
bool form_is_json(const char *text, size_t length);

// `text` is changed while it is read, and has to live as long as the forms.
void forms_open(struct forms *forms, char *text, size_t length, bool json);

// The next form, valid until the next call; null at the end, or after an error (error, line).
const struct form *forms_next(struct forms *forms);

void forms_close(struct forms *forms);

// The value of a key of a map (":key" or "key"), or null.
const struct form *form_get(const struct form *map, const char *key);

// Whether it is this text, with or without a colon.
bool form_is(const struct form *form, const char *text);

// The nth form of a list; null if there is none, or it is no list.
const struct form *form_nth(const struct form *list, uint32_t n);

// Its word; lists and maps are texts.
int64_t form_value(const struct form *form, struct values *values);

#endif
