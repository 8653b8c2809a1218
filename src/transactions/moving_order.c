#include "transactions/moving_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "transactions/node_heap.h"

enum { NONE = UINT32_MAX };

// The first order: Kahn's, and of the nodes that could be next the one with the lowest hint

static void sort_nodes(struct moving_order *m, const int64_t *hint)
{
    struct node_heap heap = {0};
    uint32_t *before = alloc_ended(m->nodes, sizeof *before), placed = 0;
    for (uint32_t i = 0; i < m->count; i++)
        before[m->edges[i].edge.to]++;
    for (uint32_t node = 0; node < m->nodes; node++)
        if (!before[node])
            node_heap_put(&heap, hint, node);
    while (heap.count) {
        uint32_t node = node_heap_take(&heap, hint);
        m->node_at[placed] = node;
        m->position[node] = placed++;
        for (uint32_t e = m->first_out[node]; e != NONE; e = m->edges[e].next_out)
            if (!--before[m->edges[e].edge.to])
                node_heap_put(&heap, hint, m->edges[e].edge.to);
    }
    require(placed == m->nodes);
    free(heap.nodes);
    free(before);
}

static void link_edge(struct moving_order *m, const struct dependency_edge *edge)
{
    m->edges = alloc_reserve(m->edges, m->count + (size_t)1, &m->room, sizeof *m->edges);
    m->edges[m->count] = (struct moving_edge){*edge, m->first_out[edge->from], m->first_in[edge->to]};
    m->first_out[edge->from] = m->first_in[edge->to] = m->count++;
}

void moving_order_begin(struct moving_order *m, const struct dependencies *d, const int64_t *hint)
{
    *m = (struct moving_order){.nodes = d->nodes};
    uint32_t **arrays[] = {&m->position, &m->node_at,  &m->first_out, &m->first_in, &m->mark,
                           &m->forward,  &m->backward, &m->way,       &m->positions};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = alloc_ended(m->nodes, sizeof **arrays[i]);
    memset(m->first_out, 0xff, m->nodes * sizeof *m->first_out);
    memset(m->first_in, 0xff, m->nodes * sizeof *m->first_in);
    for (uint32_t i = 0; i < d->count; i++)
        link_edge(m, &d->edges[i]);
    sort_nodes(m, hint);
}

void moving_order_end(struct moving_order *m)
{
    uint32_t *arrays[] = {m->position, m->node_at,  m->first_out, m->first_in, m->mark,
                          m->forward,  m->backward, m->way,       m->positions};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    free(m->edges);
    *m = (struct moving_order){0};
}

// Searches

// Everything that can be reached from a node up to a position; false as soon as `wanted` is.
static bool go_forward(struct moving_order *m, uint32_t from, uint32_t wanted, uint32_t last)
{
    uint32_t done = 0;
    m->stamp++;
    m->forward_count = 0;
    m->forward[m->forward_count++] = from;
    m->mark[from] = m->stamp;
    while (done < m->forward_count) {
        uint32_t node = m->forward[done++];
        for (uint32_t e = m->first_out[node]; e != NONE; e = m->edges[e].next_out) {
            uint32_t to = m->edges[e].edge.to;
            m->visits++;
            if (m->mark[to] == m->stamp || m->position[to] > last)
                continue;
            m->mark[to] = m->stamp;
            m->way[to] = e;
            m->forward[m->forward_count++] = to;
            if (to == wanted)
                return false;
        }
    }
    return true;
}

static void go_backward(struct moving_order *m, uint32_t from, uint32_t first)
{
    uint32_t done = 0;
    m->stamp++;
    m->backward_count = 0;
    m->backward[m->backward_count++] = from;
    m->mark[from] = m->stamp;
    while (done < m->backward_count) {
        uint32_t node = m->backward[done++];
        for (uint32_t e = m->first_in[node]; e != NONE; e = m->edges[e].next_in) {
            uint32_t before = m->edges[e].edge.from;
            m->visits++;
            if (m->mark[before] == m->stamp || m->position[before] < first)
                continue;
            m->mark[before] = m->stamp;
            m->backward[m->backward_count++] = before;
        }
    }
}

bool moving_order_leads(struct moving_order *m, uint32_t from, uint32_t to)
{
    return m->position[from] < m->position[to] && !go_forward(m, from, to, m->position[to]);
}

uint32_t moving_order_way(const struct moving_order *m, uint32_t from, uint32_t to, struct dependency_edge *edges)
{
    uint32_t count = 0;
    for (uint32_t node = to; node != from; node = edges[count++].from)
        edges[count] = m->edges[m->way[node]].edge;
    for (uint32_t i = 0; i < count / 2; i++) {
        struct dependency_edge swap = edges[i];
        edges[i] = edges[count - 1 - i];
        edges[count - 1 - i] = swap;
    }
    return count;
}

// Changes

static const uint32_t *compared_positions;

static int by_position(const void *a, const void *b)
{
    uint32_t x = compared_positions[*(const uint32_t *)a], y = compared_positions[*(const uint32_t *)b];
    return (x > y) - (x < y);
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

// What leads to the edge's beginning and what follows from its end share their positions: first the former, each in the
// order it had.
static void rearrange(struct moving_order *m)
{
    uint32_t count = 0, next = 0;
    compared_positions = m->position;
    qsort(m->backward, m->backward_count, sizeof *m->backward, by_position);
    qsort(m->forward, m->forward_count, sizeof *m->forward, by_position);
    for (size_t i = 0; i < m->backward_count; i++)
        m->positions[count++] = m->position[m->backward[i]];
    for (size_t i = 0; i < m->forward_count; i++)
        m->positions[count++] = m->position[m->forward[i]];
    qsort(m->positions, count, sizeof *m->positions, by_number);
    for (size_t i = 0; i < m->backward_count; i++, next++)
        m->node_at[m->positions[next]] = m->backward[i];
    for (size_t i = 0; i < m->forward_count; i++, next++)
        m->node_at[m->positions[next]] = m->forward[i];
    for (uint32_t i = 0; i < count; i++)
        m->position[m->node_at[m->positions[i]]] = m->positions[i];
}

bool moving_order_add(struct moving_order *m, const struct dependency_edge *edge)
{
    if (m->position[edge->from] >= m->position[edge->to]) {
        if (edge->from == edge->to || !go_forward(m, edge->to, edge->from, m->position[edge->from]))
            return false;
        go_backward(m, edge->from, m->position[edge->to]);
        rearrange(m);
    }
    link_edge(m, edge);
    return true;
}

void moving_order_cut(struct moving_order *m, uint32_t count)
{
    while (m->count > count) {
        const struct moving_edge *last = &m->edges[--m->count];
        m->first_out[last->edge.from] = last->next_out;
        m->first_in[last->edge.to] = last->next_in;
    }
}
