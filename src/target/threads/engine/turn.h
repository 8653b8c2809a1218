// What a thread goes through at every visible operation: it parks, is kept, and is resumed. Compiled into the calls that
// programs make most, so that a parked thread has one frame of heddle's on its stack: there is less to copy at each step,
// and less to return through, which is never foreseen by the processor after a switch.
#ifndef TARGET_TURN_H
#define TARGET_TURN_H

#include <errno.h>

#include "base/lanes.h"
#include "base/paths.h"
#include "target/threads/engine/deep_stacks.h"
#include "target/threads/engine/engine.h"
#include "target/threads/engine/fiber.h"
#include "target/threads/engine/floats.h"
#include "target/threads/engine/foreign.h"
#include "target/threads/memory/frames.h"
#include "target/threads/engine/real.h"
#include "target/threads/engine/snapshot.h"
#include "target/threads/memory/tls.h"
#include "target/threads/memory/unwind.h"
#include "target/threads/engine/perform.h"

// To the compiler __errno_location gives the same in all of a function, even where the thread pointer changes in between. What
// has assembly in it is called each time.
static RARE int *errno_of_thread(void)
{
    __asm__ volatile("");
    return __errno_location();
}

// Where errno is: always the same place unless the thread pointer changes.
static IN_PLACE int *errno_place(void)
{
    return unlikely(engine.swap_tls) ? errno_of_thread() : engine.errno_place;
}

enum { TURN_CLEARED = 512, TURN_CLEARED_TO_MATCH = 2048 }; // bytes

// What was left below its stack would be found in gaps of frames that are made there. Then what earlier executions did would
// decide how soon a spinning thread is recognised, and tell equal states apart.
static IN_PLACE void turn_clear_below(const struct thread *t, size_t reach)
{
    uint8_t *end = (uint8_t *)((uintptr_t)t->sp & ~15ul);
    if (unlikely(end - reach < t->own_stack.low || end > t->own_stack.top))
        return; // on a stack of the program's own
    ((uint64_t *)t->sp)[-1] = 0;
    clear_lanes(end - TURN_CLEARED, TURN_CLEARED);
    if (reach != TURN_CLEARED)
        clear_lanes(end - TURN_CLEARED_TO_MATCH, TURN_CLEARED_TO_MATCH - TURN_CLEARED);
}

// The same within a step, for calls that park: what the thread, or the call itself, has left below the frames that there are by now would
// be found in those that the thread waits in. Called in front of a function that is not compiled into its caller.
static IN_PLACE void turn_clear_for_call(void)
{
    if (unlikely(engine.matching))
        fiber_clear_below();
}

// Switches to the thread, whose thread-local storage comes with it.
static IN_PLACE void turn_enter(struct thread *t, void **from, bool usual)
{
    turn_clear_below(t, !usual && (engine.matching || engine.clears_far) ? TURN_CLEARED_TO_MATCH : TURN_CLEARED);
    int own_errno = *errno_place();
    void *own = unlikely(engine.swap_tls) ? tls_current() : NULL;
    if (own)
        tls_enter(t->thread_pointer);
    *errno_place() = t->saved_errno;
    if (unlikely(engine.keeps_floats))
        floats_enter(t);
    fiber_switch(from, t->sp);
    if (own)
        tls_enter(own);
    *errno_place() = own_errno;
}

// thread_resume. `usual`: the caller has found that the engine is in no rare mode.
static IN_PLACE void turn_resume(struct thread *t, void **from, bool usual)
{
    void **outer = engine.resumer;
    struct thread *before = engine.running;
    engine.resumer = from;
    engine.running = t;
    if (!usual && engine.real)
        real_resume(t, before);
    else
        turn_enter(t, from, usual);
    engine.running = before;
    engine.resumer = outer;
}

// thread_park
static IN_PLACE void turn_park(struct thread *t)
{
    if (unlikely(engine.real)) {
        real_park(t);
        return;
    }
    t->saved_errno = *errno_place();
    if (unlikely(engine.keeps_floats))
        floats_leave(t);
    fiber_switch(&t->sp, *engine.resumer);
}

static RARE void turn_pass_foreign(struct thread *t)
{
    if (foreign_perhaps(t->request.pc))
        foreign_pass(t, t->request.pc);
}

static RARE void turn_begin_specially(struct thread *t)
{
    turn_pass_foreign(t);
    if (engine.plain && engine.record)
        unwind_calls(t, (uint64_t)(uintptr_t)t->request.pc);
}

// visible
static IN_PLACE wide turn_take(struct thread *t)
{
    if (unlikely(engine.turn_modes))
        turn_begin_specially(t);
    if (unlikely(engine.alone || engine.over) && could_be_alone(t)) {
        do_alone(t);
    } else if (unlikely(engine.snapshots)) {
        snapshot_visible(t);
    } else {
        thread_wake(t);
        turn_park(t);
    }
    if (unlikely(
            engine.turn_modes)) // asked again: what is kept across a switch makes the frames of spinning threads differ
        turn_pass_foreign(t);
    return t->result;
}

enum { TURN_KEPT = sizeof(struct thread) - offsetof(struct thread, know) }; // bytes of a record that a step may change

static RARE void turn_keep_calls(struct thread *t)
{
    const uint32_t known = t->depth < CALL_DEPTH ? t->depth : CALL_DEPTH; // deeper ones are counted, not kept
    undo_save(&engine.undo, engine.calls[t->actor], known * sizeof **engine.calls);
    frames_keep(t);
}

// What the thread of a step asked for, as it was kept with it.
static inline const struct request *mark_request(const struct mark *mark)
{
    const uint8_t *kept = engine.undo.start + mark->undo;
    return (const struct request *)(kept + (offsetof(struct thread, request) - offsetof(struct thread, know)));
}

enum { LARGE_STACK = 1 << 20 }; // bytes in use: too many to be copied at each step

void turn_keep_large(
    struct thread *t); // where going back does not need the stack; else the search begins anew without undo

// So that going back finds the thread's record and its stack as they are now. Above a stack's top there is room for what
// rounding up copies too many. Returns how many bytes of the stack are kept.
static IN_PLACE size_t turn_keep(struct thread *t, bool usual)
{
    struct undo log = engine.undo; // which the compiler need not write and read again in between
    const uint8_t *sp = t->sp;
    size_t size = (size_t)(t->stack_top - sp);
    undo_save(&log, &t->know, TURN_KEPT);
    if (unlikely(size > DEEP_STACK) || (!usual && engine.deep_stacks)) {
        engine.undo.top = log.top;
        size = deep_stacks_keep(t);
        log.top = engine.undo.top;
    } else {
        undo_save(&log, sp, (size + 63) & ~(size_t)63);
    }
    engine.undo.top = log.top;
    if (!usual && engine.follow_calls)
        turn_keep_calls(t);
    return size;
}

#endif
