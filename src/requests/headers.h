// Header fields of a request or an answer.
#ifndef REQUESTS_HEADERS_H
#define REQUESTS_HEADERS_H

#include <stddef.h>

struct header {
    char *name, *value; // the name in small letters
};

// Zero-initialised is empty.
struct headers {
    struct header *list;
    size_t count, room;
};

void headers_add(struct headers *h, const char *name, const char *value);

// The value of the first of that name (in small letters); null: there is none.
const char *headers_find(const struct headers *h, const char *name);

void headers_free(struct headers *h);

#endif
