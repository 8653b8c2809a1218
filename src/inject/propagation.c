#include "inject/propagation.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

// A function of a thread has accessed an object in which there was another value: first and last record by which it did.
struct holder {
    uint64_t object;
    const struct canonical_thread *thread;
    uint32_t node;
    bool writes;
    size_t first, last;
};

struct gathering {
    struct propagation *p;
    struct holder *holders;
    size_t count, room;
};

static uint32_t node_of(struct propagation *p, const char *thread, const char *function)
{
    const char *shown = function ? function : "?";
    for (size_t i = 0; i < p->node_count; i++)
        if (!strcmp(p->nodes[i].thread, thread) && !strcmp(p->nodes[i].function, shown))
            return (uint32_t)i;
    p->nodes = alloc_grow(p->nodes, p->node_count, &p->node_room, sizeof *p->nodes);
    p->nodes[p->node_count] = (struct propagation_node){alloc_copy(thread), alloc_copy(shown), NULL};
    return (uint32_t)p->node_count++;
}

static void note_holder(struct gathering *g, const struct holder *h)
{
    for (size_t i = 0; i < g->count; i++)
        if (g->holders[i].object == h->object && g->holders[i].writes == h->writes && g->holders[i].node == h->node) {
            g->holders[i].last = h->last;
            return;
        }
    g->holders = alloc_grow(g->holders, g->count, &g->room, sizeof *g->holders);
    g->holders[g->count++] = *h;
}

static void gather(void *context, const struct canonical_thread *thread, size_t at)
{
    struct gathering *g = context;
    const struct canonical_record *r = &thread->records[at];
    enum canonical_op op = canonical_op_of(r->what);
    bool atomic = op == CANONICAL_ATOMIC;
    uint32_t node = node_of(g->p, thread->name, canonical_function(g->p->other, r->what));
    if (atomic || op == CANONICAL_WRITE || op == CANONICAL_WRITE_RANGE)
        note_holder(g, &(struct holder){r->object, thread, node, true, at, at});
    if (atomic || op == CANONICAL_READ || op == CANONICAL_READ_RANGE)
        note_holder(g, &(struct holder){r->object, thread, node, false, at, at});
}

// Whether a value can have gone from one to the other. Of two threads it is not known who was first.
static bool flows(const struct holder *from, const struct holder *to)
{
    return from->writes && !to->writes && from->object == to->object &&
           (from->thread != to->thread || from->first < to->last);
}

static void add_edge(struct propagation *p, uint32_t from, uint32_t to, uint64_t object)
{
    size_t i = 0;
    while (i < p->edge_count && (p->edges[i].from != from || p->edges[i].to != to))
        i++;
    if (i == p->edge_count) {
        p->edges = alloc_grow(p->edges, p->edge_count, &p->edge_room, sizeof *p->edges);
        p->edges[p->edge_count++] = (struct propagation_edge){.from = from, .to = to};
    }
    struct propagation_edge *e = &p->edges[i];
    e->objects = alloc_grow(e->objects, e->count, &e->room, sizeof *e->objects);
    e->objects[e->count++] = object;
}

void propagation_find(struct propagation *p, struct canonical_trace *golden, struct canonical_trace *other,
                      const struct deviation *d)
{
    struct gathering g = {.p = p};
    memset(p, 0, sizeof *p);
    p->other = other;
    for (size_t i = 0; i < d->count; i++) {
        const struct thread_deviation *t = &d->threads[i];
        if (!t->golden || !t->other || t->at[0] >= t->golden->count)
            continue;
        uint32_t node = node_of(p, t->golden->name, canonical_function(golden, t->golden->records[t->at[0]].what));
        p->nodes[node].begins = deviation_words[t->kind];
        deviation_each(t, gather, &g);
    }
    for (size_t i = 0; i < g.count; i++)
        for (size_t k = 0; k < g.count; k++)
            if (flows(&g.holders[i], &g.holders[k]))
                add_edge(p, g.holders[i].node, g.holders[k].node, g.holders[i].object);
    free(g.holders);
}

void propagation_free(struct propagation *p)
{
    for (size_t i = 0; i < p->node_count; i++)
        free(p->nodes[i].thread), free(p->nodes[i].function);
    for (size_t i = 0; i < p->edge_count; i++)
        free(p->edges[i].objects);
    free(p->nodes);
    free(p->edges);
    memset(p, 0, sizeof *p);
}
