#include "predict/semaphore_locks.h"

#include <stdlib.h>

#include "base/alloc.h"

// Threads are looked at one by one; `holder` has the last one that took the token and has not posted it, for each semaphore.
static void look_at(bool *locks, const struct recording *r, uint32_t thread, uint32_t *holder)
{
    const struct recorded_thread *t = &r->threads[thread];
    for (uint32_t i = 0; i < t->count; i++) {
        const struct record *e = &r->records[t->records[i]];
        if ((e->kind != RECORD_TAKE && e->kind != RECORD_POST) || e->flags & RECORD_FAILED)
            continue;
        bool takes = e->kind == RECORD_TAKE;
        if (takes == (holder[e->object] == thread))
            locks[e->object] = false;
        holder[e->object] = takes ? thread : NOT_RECORDED;
    }
}

bool *semaphore_locks(const struct recording *r)
{
    bool *locks = alloc_zeroed(r->object_count, sizeof *locks);
    uint32_t *holder = alloc_array(r->object_count, sizeof *holder);
    for (uint32_t i = 0; i < r->object_count; i++) {
        locks[i] = r->objects[i].kind == OBJECT_SEMAPHORE && r->objects[i].initial == 1;
        holder[i] = NOT_RECORDED;
    }
    for (uint32_t t = 0; t < r->thread_count; t++)
        look_at(locks, r, t, holder);
    free(holder);
    return locks;
}
