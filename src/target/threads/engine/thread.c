// Threads as fibers: beginning, parking, resuming, ending.
#include "target/threads/engine/engine.h"

#include <string.h>

#include "base/fail.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/engine/audit.h"
#include "target/threads/engine/state.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/pthread/pthread_room.h"
#include "target/threads/engine/turn.h"
#include "target/threads/engine/perform.h"
#include "target/threads/engine/record.h"
#include "target/threads/engine/join_runs.h"
#include "target/threads/engine/tail.h"

enum { FIRST_TIME = 1000000000 };

__attribute__((used, visibility("hidden"))) void thread_main(void);

static RARE void begin_in_turn(struct thread *t)
{
    ask(t, OP_BEGIN, 0, 0, NULL);
    visible(t);
}

// What a fiber begins with when it is first resumed, by way of fiber_begin.
void thread_main(void)
{
    __asm__ volatile(".cfi_undefined rip"); // a debugger's call stacks end here
    fiber_clear_registers();
    if (unlikely(engine.turns) && engine.running->actor)
        begin_in_turn(engine.running);
    void *result = engine.running->start(engine.running->argument);
    thread_end(engine.running, result);
}

void thread_begin(struct thread *t, uint32_t actor, struct arena_stack stack, void *(*start)(void *), void *argument,
                  struct thread *creator)
{
    const struct thread before = *t;
    bool again = t->ended; // in the place of one that was joined
    if (unlikely(engine.begins_threads) && actor)
        audit_first_thread();
    undo_save(&engine.undo, t, sizeof *t);
    memset(t, 0, sizeof *t);
    t->born = engine.exec.count;
    t->actor = actor;
    t->process = creator ? creator->process : 0;
    t->start = start;
    t->argument = argument;
    t->own_stack = stack;
    t->stack_top = stack.top - 64; // keeping it rounds up
    t->stack_low = stack.low;
    t->now = creator ? creator->now : FIRST_TIME;
    t->random = actor + 1;
    if (engine.swap_tls)
        t->thread_pointer = tls_borrow(actor, again);
    if (engine.swap_tls && again)
        lifetime_locals_begin(t);
    if (again) // what it allocated is still there
        t->heap_next = before.heap_next, t->reusable = before.reusable;
    else
        heap_begin(t);
    keys_begin(t);
    identity_begin(t, creator);
    cancel_begin(t);
    signals_begin(t, creator);
    leave_begin(t);
    know_begin(&engine.races, &t->know, actor, creator ? &creator->know : NULL, again ? before.know.time : 0);
    state_releases_silently();
    void **top = (void **)t->stack_top;
    *--top = NULL; // as if it had been called: nobody is there to return to
    *--top = (void *)fiber_begin;
    t->sp = top;
    if (engine.keeps_floats)
        floats_begin(t);
    if (engine.deep_stacks)
        deep_stacks_clear(t);
    if (engine.real)
        real_begin(t);
}

RARE void turn_keep_large(struct thread *t)
{
    static const char name[] = "a stack of more than 1 MiB";
    if (engine.undo_forced) {
        undo_save(&engine.undo, t->sp, (size_t)(t->stack_top - (uint8_t *)t->sp + 63) & ~(size_t)63);
    } else if (engine.undoing) {
        memcpy(engine.learnt.unlogged, name, sizeof name);
        search_again(NULL);
    }
}

CROSSES_SWITCH void thread_resume(struct thread *t, void **from)
{
    turn_resume(t, from, steps_are_usual());
}

CROSSES_SWITCH void thread_park(struct thread *t)
{
    turn_park(t);
}

_Noreturn void thread_stop(struct thread *t, enum actor_state state)
{
    exec_leave(&engine.exec, t->actor, state);
    update_alone();
    if (unlikely(engine.record) && state == ACTOR_ENDED)
        record_silent(t, SILENT_END, 0, 0, 0, NULL);
    if (unlikely(engine.real))
        real_stop(t, state == ACTOR_ENDED);
    t->saved_errno = *errno_place();
    if (unlikely(engine.keeps_floats))
        floats_leave(t);
    fiber_switch(&t->sp, *engine.resumer);
    fail_at(__FILE__, __LINE__, "a thread that had stopped was resumed");
}

RARE void thread_await_end(struct thread *t, const struct thread *other, const void *pc)
{
    ask(t, OP_JOIN, 0, 0, pc)->mutex = other->actor;
    exec_leave(&engine.exec, t->actor, ACTOR_WAITING);
    thread_park(t);
}

// Whether it waits for the end of a thread that has ended.
static bool can_join(const struct thread *t)
{
    return engine.exec.actors[t->actor].state == ACTOR_WAITING && t->request.kind == OP_JOIN &&
           engine.threads[t->request.mutex].ended;
}

CROSSES_SWITCH bool thread_settle(struct thread *t)
{
    if (!can_join(t))
        return false;
    if (engine.knows_tails && engine.exec.live == 1 && !t->actor && tail_is_known(t))
        return true;
    bool in_a_row = unlikely(engine.alike) && !t->actor;
    if (in_a_row)
        join_runs_leave();
    if (unlikely(engine.forked))
        forking_enter(t->process);
    turn_keep(t, steps_are_usual());
    engine.found_ready = 0;
    t->know.own = 0;
    if (unlikely(engine.watches_tail))
        tail_runs();
    thread_run_on(t);
    if (unlikely(engine.watches_tail))
        tail_end();
    if (in_a_row)
        join_runs_left();
    return true;
}

RARE void thread_arrives_at_join(struct thread *t)
{
    if (!t->actor)
        join_runs_arrive();
    while (!engine.joins_late && thread_settle(t))
        ;
}

// A join commutes with whatever others do, so it is no event: whoever waits for the end of a thread goes on as part of the
// step that ends it or, where the search asks for that, of a later one.
void thread_has_ended(struct thread *t)
{
    if (!engine.joins_late && is_joined(t))
        while (thread_settle(&engine.threads[t->joiner]) && engine.alike)
            ;
}

CROSSES_SWITCH void thread_run_on(struct thread *t)
{
    thread_resume(t, &engine.engine_sp);
    if (t->ended)
        thread_has_ended(t);
}
