#include "requests/substitutions.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { LEAST_LENGTH = 4 }; // of what is replaced: less may stand in a text by chance

static void learn(struct substitutions *s, uint32_t client, const char *was, const char *now)
{
    if (!was || !now || strlen(was) < LEAST_LENGTH)
        return;
    for (size_t i = 0; i < s->count; i++)
        if (s->list[i].client == client && !strcmp(s->list[i].was, was)) {
            free(s->list[i].now);
            s->list[i].now = alloc_copy(now);
            return;
        }
    s->list = alloc_grow(s->list, s->count, &s->room, sizeof *s->list);
    s->list[s->count++] = (struct substitution){client, alloc_copy(was), alloc_copy(now)};
}

static void learn_field(struct substitutions *s, uint32_t client, const struct request *r,
                        const struct http_answer *now, const char *name)
{
    char *was = request_body_field(r->answer, r->answer_length, name);
    char *is = request_body_field(now->body.text, now->body.length, name);
    learn(s, client, was, is);
    free(was);
    free(is);
}

void substitutions_learn(struct substitutions *s, uint32_t client, const struct request *r,
                         const struct http_answer *now, const struct request_rules *rules)
{
    static const char *const given_out[] = {"etag", "lock-token", "last-modified"};
    for (size_t i = 0; i < sizeof given_out / sizeof *given_out; i++)
        learn(s, client, headers_find(&r->answer_headers, given_out[i]), headers_find(&now->headers, given_out[i]));
    for (size_t i = 0; i < rules->version_fields.count; i++)
        learn_field(s, client, r, now, rules->version_fields.item[i]);
    learn_field(s, client, r, now, "rev");
}

// The substitution that fits at this point of the text; null: none.
static const struct substitution *find_at(const struct substitutions *s, uint32_t client, const char *text, size_t left)
{
    for (size_t i = 0; i < s->count; i++) {
        size_t length = strlen(s->list[i].was);
        if (s->list[i].client == client && length <= left && !memcmp(text, s->list[i].was, length))
            return &s->list[i];
    }
    return NULL;
}

char *substitutions_apply(const struct substitutions *s, uint32_t client, const char *text, size_t *length)
{
    struct buffer made = {0};
    for (size_t i = 0; i < *length;) {
        const struct substitution *one = find_at(s, client, text + i, *length - i);
        if (one)
            buffer_append(&made, one->now, strlen(one->now));
        else
            buffer_append(&made, text + i, 1);
        i += one ? strlen(one->was) : 1;
    }
    *length = made.length;
    return made.text ? made.text : alloc_copy("");
}

void substitutions_free(struct substitutions *s)
{
    for (size_t i = 0; i < s->count; i++) {
        free(s->list[i].was);
        free(s->list[i].now);
    }
    free(s->list);
}
