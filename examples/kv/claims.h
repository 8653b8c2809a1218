// What must hold of the servers, over everything that was ever seen: one leader in each term, one command in each place, and
// what is committed stays.
#ifndef CLAIMS_H
#define CLAIMS_H

#include <heddle/node.h>
#include <stdio.h>
#include <string.h>

#include "raft.h"

enum { TERMS = 24, PLACES = 40 };

struct place { // in the log: enough of an entry to tell it from others
    int term, kind, client, number;
    unsigned members;
};

struct server_state {
    int role, term, commit, first, length;
    struct place log[LOG_MOST];
    unsigned waiting; // of the clients' node: a bit for each client
    int done;
};

struct seen {
    int leader[TERMS]; // a server plus 1
    int committed;
    struct place place[PLACES];
    int in_term[PLACES];
};

static void claims_report(struct server_state *s, const struct raft *r)
{
    *s = (struct server_state){.role = (int)r->role, .term = r->kept.term, .commit = r->commit};
    s->first = r->kept.snapshot.index + 1;
    for (int i = 0; i < r->kept.length; i++) {
        const struct entry *e = &r->kept.log[i];
        s->log[s->length++] = (struct place){e->term, (int)e->kind, e->command.client, e->command.number, e->members};
    }
}

static const struct place *place_at(const struct server_state *s, int index)
{
    return index >= s->first && index < s->first + s->length ? &s->log[index - s->first] : NULL;
}

static const char *claims_observe(const struct heddle_view *v, int node, void *memory)
{
    struct seen *seen = memory;
    if (node < 0 || !v->up[node])
        return NULL;
    const struct server_state *s = v->state[node];
    for (int i = 1; i <= s->commit && i < PLACES; i++) {
        const struct place *p = place_at(s, i);
        if (!p) // it went into a snapshot
            continue;
        if (seen->place[i].term && memcmp(p, &seen->place[i], sizeof *p) != 0)
            return "two different entries were committed in one place";
        if (!seen->place[i].term)
            seen->in_term[i] = s->term;
        seen->place[i] = *p;
        if (i > seen->committed)
            seen->committed = i;
    }
    if (s->role != LEADER || s->term >= TERMS || seen->leader[s->term] == node + 1)
        return NULL;
    if (seen->leader[s->term])
        return "two servers have led in one term";
    seen->leader[s->term] = node + 1;
    for (int i = s->first; i <= seen->committed; i++) {
        const struct place *p = place_at(s, i);
        if (seen->place[i].term && seen->in_term[i] < s->term && (!p || memcmp(p, &seen->place[i], sizeof *p) != 0))
            return "a leader lacks an entry that was committed before its term";
    }
    return NULL;
}

static void claims_show(const void *state, char *text, size_t room)
{
    static const char *const roles[] = {"follows", "stands", "leads"};
    const struct server_state *s = state;
    int used = snprintf(text, room, "%s in term %d, log from %d:", roles[s->role], s->term, s->first);
    for (int i = 0; i < s->length && (size_t)used + 24 < room; i++)
        used += snprintf(text + used, room - (size_t)used, s->log[i].kind == COMMAND ? " %d.%d/%d%s" : " %d%.0d%.0d%s",
                         s->log[i].term, s->log[i].kind == COMMAND ? s->log[i].client : 0,
                         s->log[i].kind == COMMAND ? s->log[i].number : 0, s->first + i <= s->commit ? "!" : "");
}

#endif
