// The memory of nodes: each has globals and a heap of its own, which stand at the same addresses for all of them and are
// there while one of its callbacks runs.
#ifndef NODES_MEMORY_H
#define NODES_MEMORY_H

#include "target/nodes/world.h"

enum { HEAP_ROOM = 1 << 24, DISK_ROOM = 1 << 20 };

void memory_open(void);
void memory_close(void);

// Fresh globals and an empty heap.
void memory_fresh(int node);

// Brings a node's memory to its place and runs a callback there; what it changed is the node's afterwards. False if the
// callback failed, which is in world.failure then; the node's memory is as before.
bool memory_run(int node, void (*callback)(void *context), void *context);

#endif
