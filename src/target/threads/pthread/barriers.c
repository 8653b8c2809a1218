// Barriers. `depth` is how many have to come, `waiters` are those who have.
//
// Who comes first does not matter as long as no more threads use the barrier than it lets through at once: arrivals are
// additions to a set, and the least thread of a round is told that it is the serial one. If one more does use it, who goes
// through together depends on the order: then the search begins anew with arrivals that are ordered (`crowded`).
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "base/mem.h"
#include "target/threads/library/library_room.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/pthread/surface.h"

typedef uint64_t actor_set[MAX_ACTORS / 64];

static actor_set *users; // by place number: who has ever used it, in any execution

static uint32_t barriers_size_of(const actor_set set)
{
    uint32_t n = 0;
    for (int i = 0; i < MAX_ACTORS / 64; i++)
        n += (uint32_t)__builtin_popcountll(set[i]);
    return n;
}

static uint32_t barriers_count_arrived(const struct place *barrier)
{
    return barriers_size_of(barrier->waiters);
}

static void note_user(const struct thread *t, const struct place *barrier)
{
    if (!users)
        users = mem_reserve(PLACES * sizeof *users);
    uint64_t *set = users[barrier - engine.places];
    set[t->actor / 64] |= 1ull << (t->actor % 64);
    if (engine.learnt.crowded || barriers_size_of(set) <= barrier->depth)
        return;
    engine.learnt.crowded = true;
    search_again(NULL);
}

static bool has_arrived(const struct place *barrier, uint32_t actor)
{
    return barrier->waiters[actor / 64] >> (actor % 64) & 1;
}

enum effect do_barrier(struct thread *t, struct place *barrier)
{
    keep_place(barrier);
    barrier->waiters[t->actor / 64] |= 1ull << (t->actor % 64);
    t->result = 0;
    note_user(t, barrier);
    return t->request.kind == OP_CROWDED_BARRIER ? EFFECT_WRITE : EFFECT_ADD;
}

// Everybody who came knows what all the others knew.
static void let_through(struct place *barrier)
{
    clock_id all = 0;
    uint32_t first = MAX_ACTORS;
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        if (!has_arrived(barrier, actor))
            continue;
        if (first == MAX_ACTORS) {
            first = actor;
            undo_save(&engine.undo, &engine.threads[actor], sizeof(struct thread));
            engine.threads[actor].result = 1;
        }
        know_release_more(&engine.races, &engine.threads[actor].know, &barrier->release);
        if (actor == first) {
            all = engine.exec.actors[actor].clock;
        } else {
            exec_learn(&engine.exec, first, engine.exec.actors[actor].clock);
            all = engine.exec.actors[first].clock;
        }
    }
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        if (!has_arrived(barrier, actor))
            continue;
        if (actor != first) {
            undo_save(&engine.undo, &engine.threads[actor], sizeof(struct thread));
            exec_learn(&engine.exec, actor, all);
        }
        engine.threads[actor].know.own = 0;
        know_acquire(&engine.races, &engine.threads[actor].know, &barrier->release);
    }
}

// After an arrival: if it was the last one, all go on, this one in a step of its own like the others. So it makes no
// difference to what follows who came last.
void barrier_arrived(struct place *barrier)
{
    if (barriers_count_arrived(barrier) < barrier->depth)
        return;
    keep_place(barrier);
    let_through(barrier);
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        if (!has_arrived(barrier, actor))
            continue;
        struct thread *t = &engine.threads[actor];
        t->request.kind = OP_YIELD; // through the gate: an operation that concerns nobody
        t->request.alternatives = 1;
        thread_wake(t);
    }
    for (int i = 0; i < MAX_ACTORS / 64; i++)
        barrier->waiters[i] = 0;
}

// A library has initialised it before main.
static void barriers_adopt(uint64_t address, uint64_t count)
{
    struct place *barrier = &engine.places[place_at(address)];
    place_clear(barrier);
    barrier->depth = (uint32_t)count;
}

PUBLIC int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *attributes, unsigned count)
{
    if (!engine.running) {
        early_keep(barriers_adopt, (uint64_t)(uintptr_t)b, count);
        return NATIVE(pthread_barrier_init)(b, attributes, count);
    }
    if (!count)
        return EINVAL;
    access_write(b, sizeof *b, HERE);
    struct place *barrier = &engine.places[place_at((uint64_t)(uintptr_t)b)];
    keep_place(barrier);
    place_clear(barrier);
    barrier->depth = count;
    return 0;
}

PUBLIC int pthread_barrier_destroy(pthread_barrier_t *b)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(pthread_barrier_destroy)(b);
    struct place *barrier = &engine.places[place_at((uint64_t)(uintptr_t)b)];
    if (barriers_count_arrived(barrier)) {
        misuse(t, BUG_LOCK_MISUSE, barrier->address, HERE, "destroys a barrier that threads wait at");
        await_nobody(t, barrier, HERE);
    }
    access_write(b, sizeof *b, HERE);
    keep_place(barrier);
    barrier->state = PLACE_DESTROYED;
    return 0;
}

PUBLIC int pthread_barrier_wait(pthread_barrier_t *b)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(pthread_barrier_wait)(b);
    uint32_t number = place_at((uint64_t)(uintptr_t)b);
    struct place *barrier = &engine.places[number];
    if (!barrier->depth) // glibc divides by the number of threads that it lets through
        fail_and_stop(t, BUG_LOCK_MISUSE, barrier->address, HERE, "waits at a barrier that is not initialised");
    if (barrier->state & PLACE_DESTROYED)
        misuse(t, BUG_LOCK_MISUSE, barrier->address, HERE, "waits at a barrier that was destroyed");
    ask(t, engine.learnt.crowded ? OP_CROWDED_BARRIER : OP_BARRIER, barrier->address, number, HERE);
    visible(t);
    return t->result ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}
