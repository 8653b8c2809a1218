// A graph that grows by edges, and an order of its nodes that follows every edge, after Pearce and Kelly ("A dynamic
// topological sort algorithm for directed acyclic graphs", 2006). An edge that would close a circle is refused. Edges are removed
// in the reverse of the order in which they were added.
#ifndef TRANSACTIONS_MOVING_ORDER_H
#define TRANSACTIONS_MOVING_ORDER_H

#include "transactions/dependency.h"

struct moving_edge {
    struct dependency_edge edge;
    uint32_t next_out, next_in; // of the same node
};

struct moving_order {
    uint32_t nodes, *position; // of each node
    uint32_t *node_at;         // by position
    struct moving_edge *edges;
    uint32_t count, *first_out, *first_in; // by node
    size_t room;
    uint64_t visits; // of edges so far

    uint32_t *mark, stamp, *forward, *backward, *way; // scratch; way: by node, the edge that led to it
    uint32_t *positions;
    size_t forward_count, backward_count;
};

// The graph of these dependencies, which has no circle. `hint` says of each node when it should come, as far as edges
// allow.
void moving_order_begin(struct moving_order *m, const struct dependencies *d, const int64_t *hint);
void moving_order_end(struct moving_order *m);

// Whether there is a way from one node to another. If so, moving_order_way gives it.
bool moving_order_leads(struct moving_order *m, uint32_t from, uint32_t to);

// After moving_order_leads was true or moving_order_add was false: the edges from `from` to `to`, into `edges`, which has
// room for as many as there are nodes. Returns how many.
uint32_t moving_order_way(const struct moving_order *m, uint32_t from, uint32_t to, struct dependency_edge *edges);

// False if it would close a circle: then it is not there, and there is a way from its end to its beginning.
bool moving_order_add(struct moving_order *m, const struct dependency_edge *edge);

// Takes back the newest edges until so many are left.
void moving_order_cut(struct moving_order *m, uint32_t count);

#endif
