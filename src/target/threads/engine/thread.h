// A thread of the program as a fiber: what it asks for, what the engine keeps of it, and how it is run.
#ifndef TARGET_THREAD_H
#define TARGET_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/wide.h"
#include "check/race.h"
#include "model/exec.h"
#include "target/threads/memory/arena.h"

enum rmw { RMW_EXCHANGE, RMW_ADD, RMW_SUB, RMW_AND, RMW_OR, RMW_XOR, RMW_NAND, RMW_NEGATE };

// A visible operation that a thread wants to do.
struct request {
    uint8_t kind; // enum op_kind
    uint8_t size;
    uint8_t rmw;
    uint8_t order, order_failure;
    bool looks; // op.looks
    uint16_t alternatives;
    uint32_t object;
    uint32_t mutex; // OP_WAIT: the mutex to let go; OP_JOIN: the actor to wait for
    uint64_t address;
    const void *pc;
    wide operand, expected;
};

struct thread {
    // Set when it begins.
    void *thread_pointer;           // of the block it borrows, if the program has thread-local variables
    uint8_t *stack_top, *stack_low; // of the stack it runs on: its own, or that of a context (contexts.h)
    struct arena_stack own_stack;
    uint32_t born; // the events before this one are not its own, but those of a thread that had its place
    void *(*start)(void *);
    void *argument;
    const void *created_at;
    uint32_t actor;
    uint32_t process; // that it belongs to (forked.h); 0: the one that began
    // Set by others.
    uint32_t joiner;   // who joins it, if engine.joined says that somebody does
    uint64_t detached; // who sets it keeps it
    uint64_t
        held; // the step after which it was found that it cannot finish the block it is about to begin; never the same twice
    uint64_t lent_from, lent_bytes; // the part of its stack that others have used (lifetime.h)
    // From here on all is kept with each of its steps (turn_keep).
    struct know know __attribute__((aligned(16)));
    uint32_t failed;  // its own failure stopped it
    void *sp;         // while it does not run
    uint32_t assumed; // a false assumption stopped it
    uint32_t ended;
    uint32_t spinning_since; // event from which on its steps have changed nothing, plus 1; 0: not spinning
    uint64_t memory;         // for the mark of its next event
    uint32_t wrote;          // plain memory, since the last visible operation
    uint32_t plain;          // plain accesses since the last visible operation
    uint32_t yields;
    uint32_t replaced; // newest of its children whose place another one took
    int saved_errno;
    uint32_t depth;                   // of `calls`
    uint32_t lowest;                  // that it was since the last event
    uint32_t block;                   // that its last event was in, plus 1; 0: none (blocks.h) …
    uint32_t block_frame, block_line; // … in which activation, and where
    uint8_t *heap_next;
    uint8_t *reusable;  // newest freed block of this thread that may be given out again
    uint64_t now;       // virtual time (times.h) …
    uint64_t woken_now; // … of whoever woke it, where that is woken_clock's
    uint64_t random;
    void *value;                 // that it ended with
    uint32_t woken, woken_clock; // signalled between beginning to wait and letting the mutex go, and what to know then
    uint32_t spurious;           // wake-ups without a signal that it has had
    uint32_t asleep;             // its operation could not go through: somebody has to wake it (sleep.h)
    uint32_t timed;              // waits with a time-out, so never for ever
    uint32_t timers_early;       // it goes in a circle: no timer has expired when it looks next (fd_timers.c) …
    uint64_t timers_late;        // … or these have
    uint32_t wait_depth;         // how often it held the mutex that it waits with: a wait lets go of one level
    wide result;
    struct request request;
};

void thread_begin(struct thread *t, uint32_t actor, struct arena_stack stack, void *(*start)(void *), void *argument,
                  struct thread *creator);
void thread_park(struct thread *t); // switches to whoever resumed it, until resumed again (turn.h)
_Noreturn void thread_stop(struct thread *t, enum actor_state state); // never runs again in this execution
void thread_resume(struct thread *t, void **from);                    // runs it until it parks, then comes back
void thread_await_end(struct thread *t, const struct thread *other, const void *pc); // to join it, until it is settled
bool thread_settle(struct thread *t);          // runs it on if whom it waits for has ended
void thread_run_on(struct thread *t);          // runs it until it parks, and whoever waited for its end
void thread_arrives_at_join(struct thread *t); // where a thread stops at every join: runs it on if it need not wait
void thread_has_ended(struct thread *t);       // whoever waited for that goes on, if not later

#endif
