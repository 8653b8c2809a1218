#include "transactions/node_heap.h"

#include <stdbool.h>

#include "base/alloc.h"

static bool sooner(const int64_t *hint, uint32_t a, uint32_t b)
{
    return hint[a] != hint[b] ? hint[a] < hint[b] : a < b;
}

void node_heap_put(struct node_heap *h, const int64_t *hint, uint32_t node)
{
    h->nodes = alloc_reserve(h->nodes, h->count + (size_t)1, &h->room, sizeof *h->nodes);
    uint32_t at = h->count++;
    for (; at && sooner(hint, node, h->nodes[(at - 1) / 2]); at = (at - 1) / 2)
        h->nodes[at] = h->nodes[(at - 1) / 2];
    h->nodes[at] = node;
}

uint32_t node_heap_take(struct node_heap *h, const int64_t *hint)
{
    uint32_t top = h->nodes[0], last = h->nodes[--h->count], at = 0;
    for (uint32_t child; (child = 2 * at + 1) < h->count; at = child) {
        if (child + 1 < h->count && sooner(hint, h->nodes[child + 1], h->nodes[child]))
            child++;
        if (!sooner(hint, h->nodes[child], last))
            break;
        h->nodes[at] = h->nodes[child];
    }
    h->nodes[at] = last;
    return top;
}
