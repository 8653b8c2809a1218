// What must hold in broadcast.c, of all nodes together: after every event, and when nothing is left to happen.
#ifndef BROADCAST_CLAIMS_H
#define BROADCAST_CLAIMS_H

#include <string.h>

#include "broadcast_state.h"

// What two nodes have committed is the same as far as both have.
static bool agree(const struct state *a, const struct state *b)
{
    int both = a->committed < b->committed ? a->committed : b->committed;
    return !memcmp(a->history.log, b->history.log, sizeof a->history.log[0] * (size_t)both);
}

static const char *check(const struct heddle_view *view)
{
    for (int i = 0; i < view->nodes; i++) {
        const struct state *a = view->state[i];
        if (view->up[i] && a->role == BROKEN)
            return "a node refuses to start: its history is newer than its epoch";
        for (int k = 0; k < i; k++) {
            const struct state *b = view->state[k];
            if (!agree(a, b))
                return "two nodes have committed different transactions";
        }
    }
    return NULL;
}

// If a quorum is up, one leads, and all have and have committed what it has.
static const char *quiet(const struct heddle_view *view)
{
    int up = 0, leader = -1;
    for (int i = 0; i < view->nodes; i++) {
        const struct state *s = view->state[i];
        up += view->up[i];
        if (view->up[i] && s->role == LEADING && s->established)
            leader = i;
    }
    if (!is_quorum(up))
        return NULL;
    if (leader < 0)
        return "nobody leads";
    const struct state *l = view->state[leader];
    for (int i = 0; i < view->nodes; i++) {
        const struct state *s = view->state[i];
        if (view->up[i] &&
            (!s->established || s->history.length != l->history.length || s->committed != s->history.length ||
             memcmp(s->history.log, l->history.log, sizeof l->history.log[0] * (size_t)s->history.length)))
            return "not all that are up have committed what the leader has";
    }
    return NULL;
}

#endif
