// The safety properties of Raft (Ongaro and Ousterhout, Figure 3), over everything that was ever seen.
#include <stdio.h>

#include "node.h"

// -DCLAIM_SAFETY=0, -DCLAIM_ADDRESS=0: do not claim this, to look for what else is wrong.
#ifndef CLAIM_SAFETY
#define CLAIM_SAFETY 1
#endif
#ifndef CLAIM_ADDRESS
#define CLAIM_ADDRESS 1
#endif

enum { TERMS = 40 };

struct seen {
    unsigned char leader[TERMS]; // a node plus 1
    unsigned committed;          // how many indexes
    struct log_entry entry[LOG_MOST];
    unsigned char in_term[LOG_MOST]; // in which it was committed
    struct fsm_state fsm;            // the longest
};

const size_t claims_size = sizeof(struct seen);

static bool is_same(struct log_entry a, struct log_entry b)
{
    return a.term == b.term && a.type == b.type && a.digest == b.digest;
}

// The entry at an index, or null: it is in a snapshot, or not there.
static const struct log_entry *entry_at(const struct node_state *s, unsigned index)
{
    return index >= s->first && index < s->first + s->length ? &s->log[index - s->first] : NULL;
}

// Whether enough of the leader's voters have the entry to elect nobody who lacks it. Who is down has what it had.
static bool majority_has(const struct heddle_view *v, const struct node_state *leader, unsigned index)
{
    const struct log_entry *wanted = entry_at(leader, index);
    int voters = 0, have = 0;
    for (int i = 0; i < v->nodes; i++) {
        const struct node_state *s = v->state[i];
        const struct log_entry *e = entry_at(s, index);
        bool is_voter = leader->voters & 1u << i;
        voters += is_voter;
        have += is_voter && (e ? !wanted || is_same(*e, *wanted) : s->snapshot >= index);
    }
    return 2 * have > voters;
}

static const char *see_committed(const struct heddle_view *v, const struct node_state *s, struct seen *seen)
{
    for (unsigned i = 1; i <= s->commit && i < LOG_MOST; i++) {
        const struct log_entry *e = entry_at(s, i);
        if (!e)
            continue;
        if (i > seen->committed && i > 1 && s->state == RAFT_LEADER && !majority_has(v, s, i))
            return "a leader has committed an entry that no majority of the voters has";
        if (i <= seen->committed && seen->entry[i].term && !is_same(seen->entry[i], *e))
            return "two different entries were committed in one place";
        if (!seen->entry[i].term)
            seen->in_term[i] = (unsigned char)s->term;
        seen->entry[i] = *e;
        if (i > seen->committed)
            seen->committed = i;
    }
    return NULL;
}

static const char *see_leader(const struct node_state *s, int node, struct seen *seen)
{
    if (s->state != RAFT_LEADER || s->term >= TERMS)
        return NULL;
    if (seen->leader[s->term] && seen->leader[s->term] != node + 1)
        return "two nodes have led in one term";
    for (unsigned i = 1; i <= seen->committed && !seen->leader[s->term]; i++) {
        const struct log_entry *e = entry_at(s, i);
        if (!seen->entry[i].term || seen->in_term[i] >= s->term || i <= s->snapshot)
            continue;
        if (!e || !is_same(*e, seen->entry[i]))
            return "a leader lacks an entry that was committed before its term";
    }
    seen->leader[s->term] = (unsigned char)(node + 1);
    return NULL;
}

static const char *see_applied(const struct node_state *s, struct seen *seen)
{
    for (unsigned i = 0; i < s->fsm.count && i < VALUES_MOST; i++) {
        if (i < seen->fsm.count && seen->fsm.value[i] != s->fsm.value[i])
            return "two state machines have applied different commands";
        for (unsigned k = 0; k < i; k++)
            if (s->fsm.value[k] == s->fsm.value[i])
                return "a command was applied twice";
        seen->fsm.value[i] = s->fsm.value[i];
    }
    if (s->fsm.count > seen->fsm.count)
        seen->fsm.count = s->fsm.count;
    return NULL;
}

static const char *see_answers(const struct node_state *s)
{
    unsigned applied = 0;
    for (unsigned i = 0; i < s->fsm.count; i++)
        applied |= 1u << s->fsm.value[i];
    return s->answered & ~applied ? "a client was told that a command is applied, which it is not" : NULL;
}

// The library stops for good where it knows no way on.
static const char *given_up(const struct heddle_view *v)
{
    static char text[160];
    for (int i = 0; i < v->nodes; i++) {
        const struct node_state *s = v->state[i];
        if (!v->up[i] || (!s->broken && s->state != RAFT_UNAVAILABLE))
            continue;
        snprintf(text, sizeof text, "node %d has given up: %.96s", i, s->why);
        return text;
    }
    return NULL;
}

const char *claims_observe(const struct heddle_view *v, int node, void *memory)
{
    const char *wrong = CLAIM_SAFETY ? given_up(v) : NULL;
    if (wrong || node < 0 || !v->up[node])
        return wrong;
    const struct node_state *s = v->state[node];
    if (!wrong)
        wrong = see_committed(v, s, memory);
    if (!wrong)
        wrong = see_leader(s, node, memory);
    if (!wrong)
        wrong = see_applied(s, memory);
    if (!wrong)
        wrong = see_answers(s);
    if (!CLAIM_SAFETY)
        wrong = NULL;
    if (CLAIM_ADDRESS && !wrong && s->to_nobody)
        wrong = "the library sends a message that has no address";
    return wrong;
}

// If two logs have an entry of the same index and term, they are the same up to there.
static bool logs_match(const struct node_state *a, const struct node_state *b)
{
    bool same = false;
    for (unsigned i = LOG_MOST; i-- > 1;) {
        const struct log_entry *x = entry_at(a, i), *y = entry_at(b, i);
        if (!x || !y)
            continue;
        same |= x->term == y->term;
        if (same && !is_same(*x, *y))
            return false;
    }
    return true;
}

const char *claims_check(const struct heddle_view *v)
{
    for (int a = 0; a < v->nodes && CLAIM_SAFETY; a++)
        for (int b = 0; b < a; b++)
            if (v->up[a] && v->up[b] && !logs_match(v->state[a], v->state[b]))
                return "two logs agree on an entry but not on what is in front of it";
    return NULL;
}

// If all are up, somebody leads and all voters have applied the same.
const char *claims_quiet(const struct heddle_view *v)
{
    const struct node_state *leader = NULL;
    for (int i = 0; i < v->nodes; i++) {
        const struct node_state *s = v->state[i];
        if (!v->up[i])
            return NULL;
        if (s->state == RAFT_LEADER && (!leader || s->term > leader->term))
            leader = s;
    }
    if (!leader)
        return "nobody leads";
    for (int i = 0; i < v->nodes; i++) {
        const struct node_state *s = v->state[i];
        if (leader->voters & 1u << i && s->fsm.count != leader->fsm.count)
            return "a voter does not catch up with the leader";
    }
    return NULL;
}
