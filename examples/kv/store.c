#include "store.h"

#include <stddef.h>

static long *find(struct store *s, int key)
{
    for (int i = 0; i < s->pairs; i++)
        if (s->pair[i].key == key)
            return &s->pair[i].value;
    return NULL;
}

long store_get(const struct store *s, int key)
{
    const long *value = find((struct store *)s, key);
    return value ? *value : NO_VALUE;
}

bool store_accepts(const struct store *s, const struct command *c)
{
    return c->client >= 0 && c->client < STORE_CLIENTS && (s->pairs < STORE_PAIRS || find((struct store *)s, c->key));
}

static long put(struct store *s, int key, long value)
{
    long *place = find(s, key);
    if (!place) {
        s->pair[s->pairs].key = key;
        place = &s->pair[s->pairs++].value;
    }
    *place = value;
    return 0;
}

static long remove_key(struct store *s, int key)
{
    for (int i = 0; i < s->pairs; i++)
        if (s->pair[i].key == key) {
            s->pair[i] = s->pair[--s->pairs];
            return 1;
        }
    return 0;
}

bool store_has_done(const struct store *s, const struct command *c)
{
    return s->client[c->client].number == c->number;
}

long store_result(const struct store *s, const struct command *c)
{
    return s->client[c->client].result;
}

long store_apply(struct store *s, const struct command *c)
{
    if (store_accepts(s, c) && c->number > s->client[c->client].number) {
        s->client[c->client].number = c->number;
        s->client[c->client].result = c->call == REMOVE ? remove_key(s, c->key) : put(s, c->key, c->value);
    }
    return store_result(s, c);
}
