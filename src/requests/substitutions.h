// What a server gave out when the log was made, and what it gives out now: ETags, tokens of locks, revisions.
#ifndef REQUESTS_SUBSTITUTIONS_H
#define REQUESTS_SUBSTITUTIONS_H

#include "requests/http.h"
#include "requests/request_rules.h"

struct substitution {
    uint32_t client;
    char *was, *now;
};

// Zero-initialised is empty.
struct substitutions {
    struct substitution *list;
    size_t count, room;
};

// Takes what the answers to a request have in the log and now.
void substitutions_learn(struct substitutions *s, uint32_t client, const struct request *r,
                         const struct http_answer *now, const struct request_rules *rules);

// The text (which may have null characters) as the client would send it now; to be freed.
char *substitutions_apply(const struct substitutions *s, uint32_t client, const char *text, size_t *length);

void substitutions_free(struct substitutions *s);

#endif
