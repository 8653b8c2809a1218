// Nodes that wait for their turn; the one with the lowest hint comes out first.
#ifndef TRANSACTIONS_NODE_HEAP_H
#define TRANSACTIONS_NODE_HEAP_H

#include <stddef.h>
#include <stdint.h>

// Zero-initialised is empty.
struct node_heap {
    uint32_t *nodes, count;
    size_t room;
};

// Both are given the hints of all nodes, which stay as they are while nodes are in the heap.
void node_heap_put(struct node_heap *heap, const int64_t *hint, uint32_t node);

// There is one.
uint32_t node_heap_take(struct node_heap *heap, const int64_t *hint);

#endif
