// The memory of nodes: each has globals and a heap of its own, which stand at the same addresses for all of them and are
// there while one of its callbacks runs.
//
// The object's writable segment and a heap at a fixed address belong to one node at a time. They are copied in before a
// callback and out after it. malloc and the like come to heddle by --wrap. A signal in a callback, or a callback that
// does not come back, is a failure of the execution.
#ifndef NODES_MEMORY_H
#define NODES_MEMORY_H

#include "target/nodes/world.h"

enum { HEAP_USUAL = 1 << 26, HEAP_MOST = 1 << 30, DISK_ROOM = 1 << 20 };

void memory_open(void);
void memory_close(void);

// Fresh globals and an empty heap.
void memory_fresh(int node);

// Brings a node's memory to its place and runs a callback there; what it changed is the node's afterwards. False if the
// callback failed, which is in world.failure then; the node's memory is as before.
bool memory_run(int node, void (*callback)(void *context), void *context);

// What a callback did to memory that it must not: the execution ends there. `where` is the address that the access returns to.
_Noreturn void memory_fail(const void *where, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Whose memory an address in the heap is: the last block that begins at or before it.
enum block_state { BLOCK_NONE, BLOCK_IN_USE, BLOCK_FREED };
enum block_state memory_block_at(const void *address, size_t *size, size_t *offset);

#endif
