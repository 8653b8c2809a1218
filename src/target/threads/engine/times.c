#include "target/threads/engine/times.h"

#include "base/mem.h"
#include "target/threads/engine/thread.h"

struct object_time {
    uint64_t written; // by whoever changed it last, or let it go
    uint64_t shared;  // by those who shared it
};

static struct object_time *times; // by place number

static struct object_time *time_of(uint32_t object)
{
    if (unlikely(!times))
        times = mem_reserve(PLACES * sizeof *times);
    return &times[object];
}

static void leave_time(uint64_t *place, uint64_t now)
{
    if (*place == now)
        return;
    undo_save_word(&engine.undo, place);
    *place = now;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void times_learn(struct thread *t, uint64_t now)
{
    if (engine.learnt.time_read && now > t->now)
        t->now = now;
}

void times_event(struct thread *t, enum effect effect)
{
    const struct request *r = &t->request;
    if (likely(!engine.learnt.time_read) || !r->object || effect == EFFECT_NONE || effect == EFFECT_ALL)
        return;
    struct object_time *o = time_of(r->object);
    bool blind = op_table[r->kind].blind;
    if (effect == EFFECT_READ || (effect == EFFECT_WRITE && !blind))
        times_learn(t, effect == EFFECT_READ ? o->written : later(o->written, o->shared));
    if (effect != EFFECT_READ)
        leave_time(&o->written, blind ? t->now : later(o->written, t->now));
}

void times_release(const struct thread *t, uint32_t object)
{
    if (likely(!engine.learnt.time_read) || !object)
        return;
    struct object_time *o = time_of(object);
    leave_time(&o->written, later(o->written, t->now));
}

void times_release_shared(const struct thread *t, uint32_t object)
{
    if (likely(!engine.learnt.time_read) || !object)
        return;
    struct object_time *o = time_of(object);
    leave_time(&o->shared, later(o->shared, t->now));
}

// The least that the clock of a thread shows that could learn something.
static uint64_t least_time(void)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        uint32_t state = engine.exec.actors[actor].state;
        if (state != ACTOR_ABSENT && state != ACTOR_ENDED && engine.threads[actor].now < least)
            least = engine.threads[actor].now;
    }
    return least;
}

void times_mix(struct fingerprint *f)
{
    if (!engine.learnt.time_read || !times)
        return;
    uint64_t least = least_time();
    for (uint32_t number = 1; number <= engine.place_count; number++) {
        const struct object_time *o = &times[number];
        if (later(o->written, o->shared) <= least)
            continue;
        fingerprint_mix(f, number);
        fingerprint_mix(f, o->written);
        fingerprint_mix(f, o->shared);
    }
}
