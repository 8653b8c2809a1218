// A target that interprets a program of the fuzz tests, with the model's rules: unlock needs no step of its own unless
// the program tries locks, a failed compare-and-swap or trylock is a read, and so on.
//
// The release of the mutex in a wait is no step either, unless the program tries locks: then it is one of its own, after
// the waiter has entered the set of waiters (as in glibc; POSIX allows it), because each event has one object.
#ifndef FUZZ_MACHINE_H
#define FUZZ_MACHINE_H

#include "fuzz/program.h"
#include "model/target.h"

struct machine_state {
    uint8_t cell[MAX_CELLS];
    uint8_t owner[MAX_MUTEXES];                                   // actor, or 0
    uint8_t once[MAX_ONCES];                                      // actor that does it, or ONCE_DONE
    uint8_t writer[MAX_RWLOCKS], reads[MAX_RWLOCKS][MAX_THREADS]; // actor; how often each thread reads
    uint8_t sem[MAX_SEMS];
    uint8_t faults; // so far
    struct machine_thread {
        uint8_t actor; // 0 before it is started; not the same in all executions
        uint8_t pc, status, reg[MAX_REGS], cond, mutex;
        uint8_t woken;  // by a signal, before it had let go of the mutex
        clock_id waker; // what that signal knew
    } thread[MAX_THREADS];
    uint8_t failed, exited;
    uint64_t trace; // hash of the trace so far, the same for all its orders
};

struct machine {
    struct target target; // first: the functions of the target get back to the machine from it
    struct exec exec;
    const struct program *program;
    bool visible_unlock;
    struct machine_state now;
    struct machine_state *saved; // before each event
};

enum { MACHINE_STEPS = 5000, ONCE_DONE = 255 };

void machine_init(struct machine *m, const struct program *program);
void machine_free(struct machine *m);
bool machine_finished(struct machine *m); // nothing can run
uint64_t machine_outcome(const struct machine *m);
uint64_t machine_local_outcome(const struct machine *m); // without the cells

// The state alone, without what led to it.
uint64_t machine_hash(const struct machine *m);

#endif
