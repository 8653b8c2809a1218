// Barriers. `depth` is how many have to come, `waiters` are those who have.
//
// Who comes first does not matter as long as no more threads use the barrier than it lets through at once: arrivals are
// additions to a set. If one more does use it, who goes through together depends on the order: then the search begins anew with
// arrivals that are ordered (`crowded`).
//
// One thread of each round is told that it is the serial one: the last to arrive, in the C library. Where the order of arrivals is
// no part of the search, any of them can be that. Most programs do not look. Where one does (`serial`), the search begins anew,
// and whoever goes on first is the serial thread. heddle cc marks the calls whose answer nobody reads (model/assembly.h).
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "base/mem.h"
#include "model/assembly.h"
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

// Of the round that goes on: `depth` tells whether it has its serial thread. Of the barrier's memory, where no other object is.
static struct place *barriers_round(const struct place *barrier)
{
    return &engine.places[place_at(barrier->address + 8)];
}

enum effect do_pass_barrier(struct thread *t, struct place *round)
{
    t->result = !round->depth;
    if (round->depth)
        return EFFECT_READ;
    keep_place(round);
    round->depth = 1;
    return EFFECT_WRITE;
}

// Everybody who came knows what all the others knew.
static void let_through(struct place *barrier)
{
    clock_id all = 0;
    uint64_t now = 0;
    uint32_t first = MAX_ACTORS;
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        if (!has_arrived(barrier, actor))
            continue;
        if (first == MAX_ACTORS) {
            first = actor;
            undo_save(&engine.undo, &engine.threads[actor], sizeof(struct thread));
        }
        know_release_more(&engine.races, &engine.threads[actor].know, &barrier->release);
        now = engine.threads[actor].now > now ? engine.threads[actor].now : now;
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
        times_learn(&engine.threads[actor], now);
        engine.threads[actor].know.own = 0;
        know_acquire(&engine.races, &engine.threads[actor].know, &barrier->release);
    }
}

// Whether one of those who came looks whether it is the serial thread.
static bool barriers_answer_is_read(const struct place *barrier)
{
    for (uint32_t actor = 0; engine.learnt.serial && actor < engine.exec.known; actor++)
        if (has_arrived(barrier, actor) && !assembly_answer_is_unread(engine.threads[actor].request.pc))
            return true;
    return false;
}

// What a thread does to go through the gate: something that concerns nobody, or becoming the serial thread.
static void ask_to_pass(struct thread *t, const struct place *round)
{
    t->request.kind = round ? OP_PASS_BARRIER : OP_YIELD;
    t->request.alternatives = 1;
    if (round)
        t->request.object = (uint32_t)(round - engine.places);
}

// After an arrival: if it was the last one, all go on, this one in a step of its own like the others. So it makes no
// difference to what follows who came last, unless arrivals are ordered.
void barrier_arrived(struct thread *last, struct place *barrier)
{
    bool ordered = last->request.kind == OP_CROWDED_BARRIER;
    if (barriers_count_arrived(barrier) < barrier->depth)
        return;
    struct place *round = !ordered && barriers_answer_is_read(barrier) ? barriers_round(barrier) : NULL;
    keep_place(barrier);
    let_through(barrier);
    last->result = ordered;
    if (round) {
        keep_place(round);
        round->depth = 0;
    }
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        if (!has_arrived(barrier, actor))
            continue;
        struct thread *t = &engine.threads[actor];
        ask_to_pass(t, round);
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
    barrier->state |= PLACE_FOR_SEVERAL; // nobody has looked
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
    int shared = PTHREAD_PROCESS_PRIVATE;
    if (attributes)
        access_read(attributes, sizeof *attributes, HERE);
    if (attributes)
        NATIVE(pthread_barrierattr_getpshared)(attributes, &shared);
    access_write(b, sizeof *b, HERE);
    struct place *barrier = &engine.places[place_at((uint64_t)(uintptr_t)b)];
    keep_place(barrier);
    place_clear(barrier);
    barrier->state |= shared == PTHREAD_PROCESS_SHARED ? PLACE_FOR_SEVERAL : 0;
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
    place_destroy(barrier);
    return 0;
}

static void note_look_at_answer(struct thread *t, const void *pc)
{
    if (engine.learnt.serial || assembly_answer_is_unread(pc))
        return;
    engine.learnt.serial = true;
    search_again(t);
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
    if (place_is_destroyed(barrier))
        misuse(t, BUG_LOCK_MISUSE, barrier->address, HERE, "waits at a barrier that was destroyed");
    check_processes(t, number, barrier->state & PLACE_FOR_SEVERAL, "waits at a barrier",
                    "pthread_barrierattr_setpshared", HERE);
    note_look_at_answer(t, HERE);
    ask(t, engine.learnt.crowded ? OP_CROWDED_BARRIER : OP_BARRIER, barrier->address, number, HERE);
    visible(t);
    return t->result ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}
