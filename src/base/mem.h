// Memory that never moves and never comes from malloc, which belongs to the program under test.
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

// Reserves zeroed address space; pages cost nothing until touched. Stops with one sentence if there is none.
void *mem_reserve(size_t bytes);

// The same at a fixed address; null if something is there already.
void *mem_reserve_at(void *address, size_t bytes);

// From now on, memory from mem_reserve is shared with processes that are forked later. What one of them reserves exists in all
// of them, provided that they share this module's own data too.
void mem_share(void);

// Gives back what mem_reserve returned.
void mem_release(void *start, size_t bytes);

#endif
