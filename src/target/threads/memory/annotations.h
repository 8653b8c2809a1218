// What programs tell ThreadSanitizer about themselves (annotations.c): here, which races they expect. Such a race is no bug; the
// words it is on become visible instead, and the search begins anew, so that what it leads to is explored.
#ifndef TARGET_ANNOTATIONS_H
#define TARGET_ANNOTATIONS_H

#include "target/threads/engine/engine.h"

// The running thread accesses a word while it asks for accesses of this kind not to be looked at.
void annotations_note(struct thread *t, struct cell *cell, bool write);

// Whether the program expects a race of this access; then the search has been given up, or will be.
bool annotations_expect(struct thread *t, uint64_t address, uint32_t size, bool write);

// The running thread changes something beside the memory there, as by an atomic read-modify-write that acquires and releases.
// `name` is the call by which it does, and stays.
void annotations_exchange(struct thread *t, const void *address, const char *name, const void *pc);

#endif
