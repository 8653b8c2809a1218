// Robust mutexes: if a thread ends while it holds one, the next to lock it is told so, and has to make what it protects
// consistent again before letting it go, or nobody can lock it any more.
#include <errno.h>

#include "target/threads/libc/libc_room.h"
#include "target/threads/pthread/surface.h"
#include "target/threads/engine/engine_room.h"

enum { LOCKED_EVER = 256 };

// Robust mutexes that were locked in this execution.
static uint64_t locked[LOCKED_EVER];
uint64_t robust_count;

static void robust_remember(struct thread *t, uint32_t number)
{
    for (uint64_t i = 0; i < robust_count; i++)
        if (locked[i] == number)
            return;
    if (robust_count == LOCKED_EVER)
        unsupported(t, "the program locks more robust mutexes than heddle follows (256)");
    undo_save_word(&engine.undo, &robust_count);
    undo_save_word(&engine.undo, &locked[robust_count]);
    locked[robust_count++] = number;
}

int robust_taken(struct thread *t, const pthread_mutex_t *m, uint32_t number, const void *pc)
{
    if (!mutex_is_robust(m))
        return 0;
    if (engine.places[number].state & PLACE_UNRECOVERABLE) {
        mutex_let_go(t, number, pc);
        return ENOTRECOVERABLE;
    }
    robust_remember(t, number);
    return engine.places[number].state & PLACE_OWNER_DIED ? EOWNERDEAD : 0;
}

static void set_state(struct place *place, uint32_t state)
{
    keep_place(place);
    place->state = state;
}

void robust_leaving(uint32_t number)
{
    struct place *place = &engine.places[number];
    if (place->state & PLACE_OWNER_DIED)
        set_state(place, (place->state & ~(uint32_t)PLACE_OWNER_DIED) | PLACE_UNRECOVERABLE);
}

void robust_abandon_some(struct thread *t)
{
    for (uint64_t i = 0; i < robust_count; i++) {
        struct place *place = &engine.places[locked[i]];
        if (place->owner != t->actor + 1 || place->state & PLACE_DESTROYED)
            continue;
        set_state(place, place->state | PLACE_OWNER_DIED);
        mutex_let_go(t, (uint32_t)locked[i], NULL);
    }
}

PUBLIC int pthread_mutex_consistent(pthread_mutex_t *m)
{
    if (!engine.running)
        return NATIVE(pthread_mutex_consistent)(m);
    struct place *place = &engine.places[place_at((uint64_t)(uintptr_t)m)];
    if (!mutex_is_robust(m) || !(place->state & PLACE_OWNER_DIED))
        return EINVAL;
    set_state(place, place->state & ~(uint32_t)PLACE_OWNER_DIED);
    return 0;
}

ALSO(pthread_mutex_consistent_np, pthread_mutex_consistent);
