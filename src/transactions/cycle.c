#include "transactions/cycle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { NONE = UINT32_MAX, ANY_NUMBER = 2 };

#define MOST_VISITS 20000000u // of edges, in the search for a shorter circle

struct cycle_kind {
    unsigned kinds; // bits of enum dependency
    uint32_t most_rw;
};

#define BIT(kind) (1u << (kind))

static const unsigned helpers = BIT(DEPENDS_WITHIN) | BIT(DEPENDS_PASS);
static const unsigned ordered = BIT(DEPENDS_SESSION) | BIT(DEPENDS_TIME);
static const unsigned reading = BIT(DEPENDS_WW) | BIT(DEPENDS_WR);
static const unsigned all_data = BIT(DEPENDS_WW) | BIT(DEPENDS_WR) | BIT(DEPENDS_RW);

// Components that hang together both ways, after Tarjan, without recursion

struct components {
    uint32_t *of; // by node: its component; NONE if it is the only node in it
    bool some;
};

struct tarjan {
    const struct dependencies *d;
    unsigned kinds;
    uint32_t *index, *low, *at, *stack, *path, next, depth, length, found;
    bool *on_stack;
    struct components *c;
};

static void enter(struct tarjan *t, uint32_t node)
{
    t->index[node] = t->low[node] = ++t->next;
    t->at[node] = t->d->out[node];
    t->stack[t->depth++] = node;
    t->on_stack[node] = true;
    t->path[t->length++] = node;
}

static void leave(struct tarjan *t, uint32_t node)
{
    t->length--;
    if (t->length && t->low[node] < t->low[t->path[t->length - 1]])
        t->low[t->path[t->length - 1]] = t->low[node];
    if (t->low[node] != t->index[node])
        return;
    bool alone = t->stack[t->depth - 1] == node;
    for (uint32_t member = NONE; member != node;) {
        member = t->stack[--t->depth];
        t->on_stack[member] = false;
        t->c->of[member] = alone ? NONE : t->found;
    }
    t->found += !alone;
    t->c->some |= !alone;
}

static void explore_from(struct tarjan *t, uint32_t root)
{
    enter(t, root);
    while (t->length) {
        uint32_t node = t->path[t->length - 1];
        if (t->at[node] == t->d->out[node + 1]) {
            leave(t, node);
            continue;
        }
        const struct dependency_edge *edge = &t->d->edges[t->at[node]++];
        if (!(t->kinds & BIT(edge->kind)))
            continue;
        if (!t->index[edge->to])
            enter(t, edge->to);
        else if (t->on_stack[edge->to] && t->index[edge->to] < t->low[node])
            t->low[node] = t->index[edge->to];
    }
}

// No edge leads from a node to itself.
static void find_components(struct components *c, const struct dependencies *d, unsigned kinds)
{
    size_t n = d->nodes;
    struct tarjan t = {.d = d, .kinds = kinds, .c = c};
    *c = (struct components){.of = alloc_ended(n, sizeof *c->of)};
    t.index = alloc_ended(n, sizeof *t.index);
    t.low = alloc_ended(n, sizeof *t.low);
    t.at = alloc_ended(n, sizeof *t.at);
    t.stack = alloc_ended(n, sizeof *t.stack);
    t.path = alloc_ended(n, sizeof *t.path);
    t.on_stack = alloc_ended(n, sizeof *t.on_stack);
    for (uint32_t node = 0; node < d->nodes; node++)
        if (!t.index[node])
            explore_from(&t, node);
    free(t.index);
    free(t.low);
    free(t.at);
    free(t.stack);
    free(t.path);
    free(t.on_stack);
}

bool cycle_exists(const struct dependencies *d)
{
    struct components c;
    find_components(&c, d, ~0u);
    free(c.of);
    return c.some;
}

// The shortest circle through a node: a search in the order of length, where helpers and the way through a transaction cost
// nothing. A place is a node, and whether a read of what was replaced is on the way if only one is allowed.

struct shortest {
    const struct dependencies *d;
    const struct components *c;
    struct cycle_kind kind;
    uint32_t *length, *edge, *from; // by place; length 0: not seen
    uint32_t *queue, *touched, touched_count, head, tail, middle;
    uint64_t visits;
    uint32_t best;                // length
    struct dependency_edge *walk; // the best, backwards
    uint32_t walk_count;
};

static bool costs(const struct dependency_edge *edge)
{
    return edge->kind != DEPENDS_PASS && edge->kind != DEPENDS_WITHIN;
}

static uint32_t place_of(const struct shortest *s, uint32_t node, bool used)
{
    return s->kind.most_rw == ANY_NUMBER ? node : 2 * node + used;
}

static uint32_t node_of(const struct shortest *s, uint32_t place)
{
    return s->kind.most_rw == ANY_NUMBER ? place : place / 2;
}

static void keep_walk(struct shortest *s, uint32_t place, uint32_t root_place)
{
    s->walk_count = 0;
    do {
        s->walk[s->walk_count++] = s->d->edges[s->edge[place]];
        place = s->from[place];
    } while (place != root_place);
}

// The circle is closed by this edge.
static void close_circle(struct shortest *s, uint32_t root, uint32_t place, uint32_t to, uint32_t edge, uint32_t length)
{
    uint32_t old_edge = s->edge[to], old_from = s->from[to];
    if (length >= s->best)
        return;
    s->edge[to] = edge;
    s->from[to] = place;
    s->best = length;
    keep_walk(s, to, place_of(s, root, false));
    s->edge[to] = old_edge;
    s->from[to] = old_from;
}

// The queue begins in the middle of its room: what costs nothing goes in front.
static void arrive(struct shortest *s, uint32_t place, uint32_t to, uint32_t edge, uint32_t length)
{
    if (s->length[to] && s->length[to] - 1 <= length)
        return;
    if (!s->length[to])
        s->touched[s->touched_count++] = to;
    s->length[to] = length + 1;
    s->edge[to] = edge;
    s->from[to] = place;
    if (costs(&s->d->edges[edge]))
        s->queue[s->tail++] = to;
    else
        s->queue[--s->head] = to;
}

static void go_on_from(struct shortest *s, uint32_t root, uint32_t place, uint32_t length)
{
    const struct dependencies *d = s->d;
    uint32_t node = node_of(s, place);
    bool one = s->kind.most_rw != ANY_NUMBER, used = one && place % 2;
    for (uint32_t i = d->out[node]; i < d->out[node + 1]; i++) {
        const struct dependency_edge *edge = &d->edges[i];
        bool rw = one && edge->kind == DEPENDS_RW;
        s->visits++;
        if (!(s->kind.kinds & BIT(edge->kind)) || s->c->of[edge->to] != s->c->of[root] || (rw && used))
            continue;
        uint32_t to = place_of(s, edge->to, used || rw);
        if (edge->to == root)
            close_circle(s, root, place, to, i, length + costs(edge));
        else
            arrive(s, place, to, i, length + costs(edge));
    }
}

static void search_from(struct shortest *s, uint32_t root)
{
    uint32_t start = place_of(s, root, false);
    s->head = s->tail = s->middle;
    s->touched_count = 0;
    s->queue[s->tail++] = start;
    while (s->head < s->tail) {
        uint32_t place = s->queue[s->head++], length = place == start ? 0 : s->length[place] - 1;
        if (length < s->best)
            go_on_from(s, root, place, length);
    }
    for (uint32_t i = 0; i < s->touched_count; i++)
        s->length[s->touched[i]] = 0;
}

// Several steps of one process after the other are one.
static void join_sessions(struct cycle *cycle)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < cycle->count; i++) {
        struct cycle_step *last = kept ? &cycle->steps[kept - 1] : NULL, *step = &cycle->steps[i];
        if (last && last->kind == DEPENDS_SESSION && step->kind == DEPENDS_SESSION)
            last->to = step->to;
        else
            cycle->steps[kept++] = *step;
    }
    cycle->count = kept;
}

void cycle_from_edges(struct cycle *cycle, const struct dependencies *d, const struct dependency_edge *edges,
                      uint32_t count)
{
    uint32_t first = 0;
    while (transaction_of_node(d, edges[first].from) == NO_TRANSACTION)
        first++;
    *cycle = (struct cycle){.steps = alloc_ended(count, sizeof *cycle->steps)};
    struct cycle_step step = {.from = NO_TRANSACTION};
    for (uint32_t i = 0; i < count; i++) {
        const struct dependency_edge *edge = &edges[(first + i) % count];
        uint32_t to = transaction_of_node(d, edge->to), from = transaction_of_node(d, edge->from);
        if (from != NO_TRANSACTION)
            step = (struct cycle_step){.from = from, .version = edge->version, .read = edge->read};
        if (edge->kind != DEPENDS_PASS) {
            step.kind = edge->kind;
            step.version = edge->version == NO_VERSION ? step.version : edge->version;
            step.then = edge->then;
            step.choice = edge->choice;
            step.read = edge->read == NO_ACCESS ? step.read : edge->read;
        }
        step.to = to;
        if (to != NO_TRANSACTION && step.kind != DEPENDS_WITHIN)
            cycle->steps[cycle->count++] = step;
    }
    join_sessions(cycle);
}

static bool find_shortest(struct cycle *cycle, const struct dependencies *d, const struct components *c,
                          struct cycle_kind kind)
{
    size_t places = (size_t)d->nodes * (kind.most_rw == ANY_NUMBER ? 1 : 2);
    struct shortest s = {.d = d, .c = c, .kind = kind, .best = NONE};
    s.length = alloc_ended(places, sizeof *s.length);
    s.edge = alloc_ended(places, sizeof *s.edge);
    s.from = alloc_ended(places, sizeof *s.from);
    s.touched = alloc_ended(places, sizeof *s.touched);
    s.middle = 2 * (uint32_t)places + 2; // the way to a place gets shorter at most once
    s.queue = alloc_ended(2 * (size_t)s.middle + 2, sizeof *s.queue);
    s.walk = alloc_ended(places + 1, sizeof *s.walk);
    for (uint32_t node = 0; node < d->real_nodes && s.visits < MOST_VISITS && s.best > 2; node++)
        if (c->of[node] != NONE)
            search_from(&s, node);
    for (uint32_t i = 0; i < s.walk_count / 2; i++) {
        struct dependency_edge swap = s.walk[i];
        s.walk[i] = s.walk[s.walk_count - 1 - i];
        s.walk[s.walk_count - 1 - i] = swap;
    }
    if (s.walk_count)
        cycle_from_edges(cycle, d, s.walk, s.walk_count);
    free(s.length);
    free(s.edge);
    free(s.from);
    free(s.touched);
    free(s.queue);
    free(s.walk);
    return cycle->count;
}

void cycle_find(struct cycle *cycle, const struct dependencies *d)
{
    const struct cycle_kind kinds[] = {
        {BIT(DEPENDS_WW) | helpers, ANY_NUMBER},
        {reading | helpers, ANY_NUMBER},
        {all_data | helpers, 1},
        {all_data | helpers, ANY_NUMBER},
        {reading | ordered | helpers, ANY_NUMBER},
        {all_data | ordered | helpers, 1},
        {all_data | ordered | helpers, ANY_NUMBER},
    };
    *cycle = (struct cycle){0};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !cycle->count; i++) {
        struct components c;
        find_components(&c, d, kinds[i].kinds);
        if (c.some)
            find_shortest(cycle, d, &c, kinds[i]);
        free(c.of);
    }
}

void cycle_name(const struct cycle *cycle, char *name, size_t room)
{
    uint32_t count[DEPENDS_PASS + 1] = {0};
    for (uint32_t i = 0; i < cycle->count; i++)
        count[cycle->steps[i].kind]++;
    const char *kind = count[DEPENDS_RW] > 1    ? "G2-item"
                       : count[DEPENDS_RW] == 1 ? "G-single"
                       : count[DEPENDS_WR]      ? "G1c"
                                                : "G0";
    snprintf(name, room, "%s%s", kind, count[DEPENDS_TIME] ? "-realtime" : count[DEPENDS_SESSION] ? "-session" : "");
}

void cycle_free(struct cycle *cycle)
{
    free(cycle->steps);
    *cycle = (struct cycle){0};
}
