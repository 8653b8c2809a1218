#define _GNU_SOURCE
#include "target/threads/engine/snapshot.h"

#include <errno.h>

#include "target/threads/libc/libc_room.h"
#include "target/threads/pthread/pthread_room.h"
#include "target/threads/engine/forked.h"
#include "target/threads/engine/turn.h"
#include "target/threads/engine/perform.h"

#define FORKS 0xfc0000000000ull // no address of the program

void snapshot_begin(void)
{
    engine.snapshots = places_know(FORKS);
    engine.unlock_visible |= engine.snapshots; // the copy of a mutex is held or is not
}

static CROSSES_SWITCH void snapshot_step(struct thread *t)
{
    thread_wake(t);
    turn_park(t);
}

static void snapshot_tick(struct thread *t, const void *pc)
{
    ask(t, OP_TICK, 0, place_at(FORKS), pc);
    snapshot_step(t);
}

// A caller that still reads its request finds it as the operation left it.
void snapshot_visible(struct thread *t)
{
    struct request wanted = t->request;
    bool ticks = !op_table[wanted.kind].no_ticks;
    if (ticks) {
        snapshot_tick(t, wanted.pc);
        t->request = wanted;
    }
    snapshot_step(t);
    if (!ticks)
        return;
    wide result = t->result;
    wanted = t->request;
    snapshot_tick(t, wanted.pc);
    t->request = wanted;
    t->result = result;
}

// ---- mutexes ----

enum { MOST_HELD = 1024 };

static struct {
    uint64_t mutex;
    uint32_t depth;
    bool own; // held by whoever forked
} held[MOST_HELD];
static uint32_t held_count;

static void note_held(const struct thread *t)
{
    held_count = 0;
    for (uint32_t number = 1; number <= engine.place_count && held_count < MOST_HELD; number++) {
        const struct place *p = &engine.places[number];
        if (!p->owner || !p->depth)
            continue;
        held[held_count].mutex = p->address;
        held[held_count].depth = p->depth;
        held[held_count++].own = p->owner == t->actor + 1;
    }
}

void snapshot_hold(pthread_mutex_t *m)
{
    for (uint32_t i = 0; i < held_count; i++) {
        if (held[i].mutex != (uint64_t)(uintptr_t)m)
            continue;
        held[i].mutex = 0;
        for (uint32_t depth = held[i].depth; depth; depth--)
            NATIVE(pthread_mutex_trylock)(m);
        if (!held[i].own)
            m->__data.__owner = -1; // nobody who is there
        return;
    }
}

// ---- handlers ----

enum { MOST_HANDLERS = 64 };

static PROGRAM_STATE struct {
    void (*before)(void), (*in_parent)(void), (*in_child)(void);
} handlers[MOST_HANDLERS] = {{0}};
static PROGRAM_STATE uint64_t handler_count = 0;

int __register_atfork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void), void *module);

PUBLIC int __register_atfork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void), void *module)
{
    if (!engine.running)
        return NATIVE(__register_atfork)(before, in_parent, in_child, module);
    if (handler_count == MOST_HANDLERS)
        return ENOMEM;
    undo_save_word(&engine.undo, &handler_count);
    undo_save(&engine.undo, &handlers[handler_count], sizeof *handlers);
    handlers[handler_count].before = before;
    handlers[handler_count].in_parent = in_parent;
    handlers[handler_count++].in_child = in_child;
    return 0;
}

void snapshot_before(struct thread *t)
{
    (void)t;
    for (uint64_t i = handler_count; i-- > 0;)
        if (handlers[i].before)
            handlers[i].before();
}

void snapshot_after(bool child)
{
    for (uint64_t i = 0; i < handler_count; i++) {
        void (*handler)(void) = child ? handlers[i].in_child : handlers[i].in_parent;
        if (handler)
            handler();
    }
}

void snapshot_take(struct thread *t, const void *pc)
{
    // What other processes do changes nothing that is copied.
    if (!engine.alone && !(engine.forked && forked_follows() && forked_is_single(t))) {
        if (!engine.snapshots)
            places_learn(t, FORKS);
        ask(t, OP_SNAPSHOT, 0, place_at(FORKS), pc);
        visible(t);
    }
    note_held(t);
}
