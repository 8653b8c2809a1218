#include "requests/headers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void headers_add(struct headers *h, const char *name, const char *value)
{
    h->list = alloc_grow(h->list, h->count, &h->room, sizeof *h->list);
    struct header *one = &h->list[h->count++];
    one->name = alloc_copy(name);
    one->value = alloc_copy(value);
    for (char *c = one->name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
}

const char *headers_find(const struct headers *h, const char *name)
{
    for (size_t i = 0; i < h->count; i++)
        if (!strcmp(h->list[i].name, name))
            return h->list[i].value;
    return NULL;
}

void headers_free(struct headers *h)
{
    for (size_t i = 0; i < h->count; i++) {
        free(h->list[i].name);
        free(h->list[i].value);
    }
    free(h->list);
    *h = (struct headers){0};
}
