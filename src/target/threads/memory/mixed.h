// Memory that is accessed both plainly and by synchronisation (mixed.c).
#ifndef TARGET_MIXED_H
#define TARGET_MIXED_H

#include "base/paths.h"
#include "target/threads/engine/engine.h"
#include "target/threads/memory/lifetime.h"

void mixed_note(struct thread *t, uint32_t place, bool write, uint32_t time);
bool mixed_holds(uint64_t address); // whether this is a record of accesses
// When each actor last accessed each object atomically, if that is noted at all (the lesson `mixed`).
void mixed_each(void (*tell)(void *context, uint32_t place, uint32_t actor, uint32_t written, uint32_t read),
                void *context);
void mixed_check(struct thread *t, uint64_t address, uint32_t size, bool write, const void *pc);
// Whether somebody has accessed some of these bytes atomically of whose access the thread does not know, if it knows `know`.
bool mixed_is_unordered(struct thread *t, const struct know *know, uint64_t address, uint32_t size);
void mixed_look(struct thread *t, uint32_t number, const char *what, const void *pc); // see mixed_use

// A lock or the like is about to be used; `what` says in the report how ("locks a mutex"). Mostly its memory is accessed in
// no other way.
static inline void mixed_use(struct thread *t, uint32_t number, const char *what, const void *pc)
{
    const struct place *object = &engine.places[number];
    const struct cell *cell = shadow_cell(&engine.races.shadow, object->address);
    if (unlikely(!object->size || engine.learnt.mixed || (cell->write | cell->read | cell->state) ||
                 is_on_stack(object->address)))
        mixed_look(t, number, what, pc);
}

#endif
