#include "transactions/deadline_order.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "transactions/node_heap.h"

enum { NONE = UINT32_MAX, LOOK_BACK = 64, FEW_ASIDE = 16 };

// Deadlines

static uint32_t *count_before(const struct dependencies *d)
{
    uint32_t *before = alloc_ended(d->nodes, sizeof *before);
    for (uint32_t i = 0; i < d->count; i++)
        before[d->edges[i].to]++;
    return before;
}

static uint32_t *some_order(const struct dependencies *d)
{
    uint32_t *order = alloc_ended(d->nodes, sizeof *order), *before = count_before(d), count = 0;
    for (uint32_t node = 0; node < d->nodes; node++)
        if (!before[node])
            order[count++] = node;
    for (uint32_t at = 0; at < count; at++)
        for (uint32_t i = d->out[order[at]]; i < d->out[order[at] + 1]; i++)
            if (!--before[d->edges[i].to])
                order[count++] = d->edges[i].to;
    require(count == d->nodes);
    free(before);
    return order;
}

int64_t *schedule_deadlines(const struct dependencies *d)
{
    int64_t *deadline = alloc_ended(d->nodes, sizeof *deadline);
    uint32_t *order = some_order(d);
    for (uint32_t at = d->nodes; at-- > 0;) {
        uint32_t node = order[at], t = transaction_of_node(d, node);
        deadline[node] = t == NO_TRANSACTION ? OPERATION_NEVER : d->versions->from->all[t].returned;
        for (uint32_t i = d->out[node]; i < d->out[node + 1]; i++)
            if (deadline[d->edges[i].to] < deadline[node])
                deadline[node] = deadline[d->edges[i].to];
    }
    free(order);
    return deadline;
}

// The database

struct schedule {
    const struct dependencies *d;
    const struct versions *v;
    const int64_t *deadline;
    uint32_t *before;          // of each node: those left that come before it
    bool *done;                // of each node
    uint32_t *current;         // of each key: its version
    uint32_t *unread;          // of each version: reads that are still to come
    uint32_t *owner;           // of each key: who began, writes it and has not ended; or NO_TRANSACTION
    uint32_t *in, *in_from;    // by node: its first place in `in_from`, which has where edges to it begin
    uint32_t *mark, stamp;     // of each node: the last look ahead that came by
    uint32_t executed;         // nodes so far, plus one
    uint32_t *looked;          // of each node: `executed` when it was last found to be held up
    struct node_heap ready;    // nodes to look at
    struct node_heap *waiting; // of each key: nodes that it holds up
};

static bool begins(const struct schedule *s, uint32_t node, uint32_t t)
{
    return node == node_of_start(s->d, t);
}

static bool ends(const struct schedule *s, uint32_t node, uint32_t t)
{
    return node == node_of_end(s->d, t);
}

static uint32_t own_reads(const struct schedule *s, const struct transaction *t, uint32_t version)
{
    uint32_t count = 0;
    for (uint32_t i = t->first; i < t->first + t->count; i++)
        count += !s->v->from->accesses[i].write && s->v->of_access[i] == version;
    return count;
}

// Looking ahead: who reads what this writer makes of the key, and has to come after another who is still to write it, has to
// find it as this one leaves it. So the other goes first. Only a few steps back from the reader are looked at.

static bool writes_key(const struct schedule *s, uint32_t number, uint32_t key)
{
    const struct transaction *t = &s->v->from->all[number];
    for (uint32_t i = t->first; i < t->first + t->count; i++)
        if (s->v->from->accesses[i].write && s->v->from->accesses[i].key == key)
            return true;
    return false;
}

static bool needs_other_writer(struct schedule *s, uint32_t reader, uint32_t writer, uint32_t key)
{
    uint32_t found[LOOK_BACK], count = 0;
    found[count++] = node_of_start(s->d, reader);
    s->stamp++;
    for (uint32_t at = 0; at < count; at++)
        for (uint32_t i = s->in [found[at]]; i < s->in[found[at] + 1] && count < LOOK_BACK; i++) {
            uint32_t node = s->in_from[i], t = transaction_of_node(s->d, node);
            if (s->done[node] || s->mark[node] == s->stamp)
                continue;
            s->mark[node] = s->stamp;
            if (t == writer)
                continue;
            if (t != NO_TRANSACTION && ends(s, node, t) && writes_key(s, t, key))
                return true;
            found[count++] = node;
        }
    return false;
}

static bool goes_later(struct schedule *s, uint32_t writer, uint32_t made)
{
    const struct version *version = &s->v->all[made];
    for (uint32_t i = 0; i < version->reads && version->previous == NO_VERSION; i++) {
        uint32_t reader = s->v->from->accesses[s->v->reads[version->first_read + i]].transaction;
        if (needs_other_writer(s, reader, writer, version->key))
            return true;
    }
    return false;
}

// Whether this key keeps a writer from beginning or ending.
static bool holds_up(struct schedule *s, uint32_t node, uint32_t number, uint32_t made)
{
    const struct version *version = &s->v->all[made];
    const struct transaction *t = &s->v->from->all[number];
    uint32_t current = s->current[version->key], next = s->v->all[current].next;
    if (begins(s, node, number)) {
        if (s->owner[version->key] != NO_TRANSACTION || (next != NO_VERSION && next != made))
            return true;
        if (version->previous != NO_VERSION && version->previous != current)
            return true;
    }
    uint32_t own = begins(s, node, number) ? own_reads(s, t, current) : 0;
    return ends(s, node, number) && (s->unread[current] > own || goes_later(s, number, made));
}

// The first key that holds the node up, or NONE.
static uint32_t blocking_key(struct schedule *s, uint32_t node)
{
    uint32_t number = transaction_of_node(s->d, node);
    if (number == NO_TRANSACTION || !s->v->takes_part[number])
        return NONE;
    const struct transaction *t = &s->v->from->all[number];
    for (uint32_t i = t->first; i < t->first + t->count; i++)
        if (s->v->from->accesses[i].final && holds_up(s, node, number, s->v->of_access[i]))
            return s->v->from->accesses[i].key;
    return NONE;
}

static void look_at(struct schedule *s, uint32_t node)
{
    if (!s->before[node] && !s->done[node])
        node_heap_put(&s->ready, s->deadline, node);
}

// If anybody may write the key now, the first of those who wait for it looks again.
static void pass_on(struct schedule *s, uint32_t key)
{
    struct node_heap *waiting = &s->waiting[key];
    uint32_t current = s->current[key];
    if (s->owner[key] != NO_TRANSACTION || s->v->all[current].next != NO_VERSION || s->unread[current])
        return;
    uint32_t aside[FEW_ASIDE], count = 0, found = NONE;
    while (waiting->count && found == NONE && count < FEW_ASIDE) {
        uint32_t node = node_heap_take(waiting, s->deadline);
        if (s->done[node])
            continue;
        if (s->looked[node] == s->executed) // since then nothing has happened
            aside[count++] = node;
        else
            found = node;
    }
    while (count)
        node_heap_put(waiting, s->deadline, aside[--count]);
    if (found != NONE)
        look_at(s, found);
}

// Something about the key has changed: whoever may be next looks again.
static void wake(struct schedule *s, uint32_t key)
{
    uint32_t next = s->v->all[s->current[key]].next;
    if (s->owner[key] != NO_TRANSACTION)
        look_at(s, node_of_end(s->d, s->owner[key]));
    else if (next != NO_VERSION)
        look_at(s, node_of_start(s->d, s->v->all[next].writer));
    else
        pass_on(s, key);
}

// Held up by one key, it leaves the others that it writes to those who wait there.
static void wait_for(struct schedule *s, uint32_t node, uint32_t key)
{
    const struct transaction *t = &s->v->from->all[transaction_of_node(s->d, node)];
    node_heap_put(&s->waiting[key], s->deadline, node);
    s->looked[node] = s->executed;
    for (uint32_t i = t->first; i < t->first + t->count; i++)
        if (s->v->from->accesses[i].final && s->v->from->accesses[i].key != key)
            pass_on(s, s->v->from->accesses[i].key);
}

static void begin(struct schedule *s, uint32_t number)
{
    const struct transaction *t = &s->v->from->all[number];
    for (uint32_t i = t->first; i < t->first + t->count; i++) {
        const struct access *access = &s->v->from->accesses[i];
        if (access->write) {
            s->owner[access->key] = number;
        } else if (s->v->of_access[i] != NO_VERSION) {
            s->unread[s->v->of_access[i]]--;
            if (s->current[access->key] == s->v->of_access[i])
                wake(s, access->key);
        }
    }
}

static void end(struct schedule *s, uint32_t number)
{
    const struct transaction *t = &s->v->from->all[number];
    for (uint32_t i = t->first; i < t->first + t->count; i++) {
        const struct access *access = &s->v->from->accesses[i];
        if (!access->final)
            continue;
        s->owner[access->key] = NO_TRANSACTION;
        s->current[access->key] = s->v->of_access[i];
    }
    for (uint32_t i = t->first; i < t->first + t->count; i++)
        if (s->v->from->accesses[i].final)
            wake(s, s->v->from->accesses[i].key);
}

static void execute(struct schedule *s, uint32_t node)
{
    uint32_t number = transaction_of_node(s->d, node);
    s->done[node] = true;
    s->executed++;
    if (number != NO_TRANSACTION && s->v->takes_part[number]) {
        if (begins(s, node, number))
            begin(s, number);
        if (ends(s, node, number))
            end(s, number);
    }
    for (uint32_t i = s->d->out[node]; i < s->d->out[node + 1]; i++)
        if (!--s->before[s->d->edges[i].to])
            look_at(s, s->d->edges[i].to);
}

static bool run(struct schedule *s, uint32_t *nodes)
{
    uint32_t count = 0;
    for (uint32_t node = 0; node < s->d->nodes; node++)
        look_at(s, node);
    while (s->ready.count) {
        uint32_t node = node_heap_take(&s->ready, s->deadline);
        if (s->done[node])
            continue;
        uint32_t key = blocking_key(s, node);
        if (key != NONE) {
            wait_for(s, node, key);
            continue;
        }
        nodes[count++] = node;
        execute(s, node);
    }
    return count == s->d->nodes;
}

static void turn_edges(struct schedule *s)
{
    const struct dependencies *d = s->d;
    uint32_t *at = alloc_ended(d->nodes, sizeof *at);
    s->in = alloc_ended(d->nodes + (size_t)1, sizeof *s->in);
    s->in_from = alloc_ended(d->count, sizeof *s->in_from);
    for (uint32_t i = 0; i < d->count; i++)
        s->in[d->edges[i].to + 1]++;
    for (uint32_t node = 0; node < d->nodes; node++) {
        s->in[node + 1] += s->in[node];
        at[node] = s->in[node];
    }
    for (uint32_t i = 0; i < d->count; i++)
        s->in_from[at[d->edges[i].to]++] = d->edges[i].from;
    free(at);
}

bool schedule_find(const struct dependencies *d, const int64_t *deadline, uint32_t *nodes)
{
    const struct versions *v = d->versions;
    struct schedule s = {.d = d, .v = v, .deadline = deadline, .before = count_before(d), .executed = 1};
    s.done = alloc_ended(d->nodes, sizeof *s.done);
    s.current = alloc_ended(v->from->key_count, sizeof *s.current);
    s.owner = alloc_ended(v->from->key_count, sizeof *s.owner);
    s.waiting = alloc_ended(v->from->key_count, sizeof *s.waiting);
    s.unread = alloc_ended(v->count, sizeof *s.unread);
    for (uint32_t key = 0; key < v->from->key_count; key++) {
        s.current[key] = key;
        s.owner[key] = NO_TRANSACTION;
    }
    for (uint32_t n = 0; n < v->count; n++)
        s.unread[n] = v->all[n].reads;
    s.mark = alloc_ended(d->nodes, sizeof *s.mark);
    s.looked = alloc_ended(d->nodes, sizeof *s.looked);
    turn_edges(&s);
    bool found = run(&s, nodes);
    for (uint32_t key = 0; key < v->from->key_count; key++)
        free(s.waiting[key].nodes);
    free(s.in);
    free(s.in_from);
    free(s.mark);
    free(s.looked);
    free(s.before);
    free(s.done);
    free(s.current);
    free(s.owner);
    free(s.waiting);
    free(s.unread);
    free(s.ready.nodes);
    return found;
}
