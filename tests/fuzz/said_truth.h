// What is true of a small program (said_program.h), by going through every state of it: an interpreter of its own.
//
// Each instruction is a step, also creating, joining, letting go, the check of an assertion and the return; a thread does
// nothing but in its own steps. A preemption is a step of another thread than took the last one, although that one could take
// its next; main runs at first. A failed assertion, exit and the return from main end the process.
#ifndef FUZZ_SAID_TRUTH_H
#define FUZZ_SAID_TRUTH_H

#include "fuzz/said_program.h"

// A thread that begins to wait has yet to let go of its mutex, and may be woken before it has.
enum said_phase { SAID_ABSENT, SAID_READY, SAID_LEAVING, SAID_LEAVING_WOKEN, SAID_ASLEEP, SAID_WOKEN, SAID_GONE };

struct said_state {
    uint8_t cell[SAID_CELLS];
    uint8_t owner[SAID_MUTEXES]; // thread plus 1
    uint8_t over;                // the process has ended
    struct {
        uint8_t pc, phase, reg[SAID_REGS];
    } thread[SAID_THREADS];
};

enum { SAID_BUGS = 64 };

// An assertion that can fail, or a deadlock: all those whose circle of threads waits at the same places are one; where there is
// none, those in which all that do not wait to join another do.
struct said_bug {
    bool deadlock;
    uint32_t thread, pc;  // of an assertion
    uint64_t waiting;     // of a deadlock: bits thread × SAID_CODE + pc that make it what it is, mixed
    uint32_t preemptions; // the fewest
    bool always;          // every run has it
};

struct said_truth {
    const struct said_program *p;
    struct said_graph *graph;
    uint32_t bugs;
    struct said_bug bug[SAID_BUGS];
};

// False if there are too many states or bugs.
bool said_truth_find(struct said_truth *truth, const struct said_program *p, uint32_t limit);
void said_truth_free(struct said_truth *truth);

struct said_state said_start(const struct said_program *p);

// The instruction the thread is at, past those whose condition does not hold; null if it has none.
const struct said_instr *said_at(const struct said_program *p, const struct said_state *s, uint32_t thread);

// Whether the thread can take a step, and with how many outcomes.
uint32_t said_outcomes(const struct said_program *p, const struct said_state *s, uint32_t thread);

// Whether it has begun to wait and can still be chosen by a signal.
bool said_sleeps(const struct said_state *s, uint32_t thread);

// Whether it has yet to let go of the mutex it waits with.
bool said_leaves(const struct said_state *s, uint32_t thread);

// Takes it. True if an assertion fails.
bool said_step(const struct said_program *p, struct said_state *s, uint32_t thread, uint32_t outcome);

// Whether some run from this state on ends without the bug. The state must be one that the program can come to.
bool said_avoidable(const struct said_truth *truth, const struct said_state *s, const struct said_bug *bug,
                    bool *known);

// What tells the deadlock of this state from others.
uint64_t said_waiting(const struct said_program *p, const struct said_state *s);

#endif
