// Random small concurrent programs, as data: what the model's fuzz tests run.
//
// Every instruction means something in every state, so that instructions can be deleted at will: unlocking or waiting
// with a mutex that is not one's own does nothing, locking one's own mutex blocks for ever. Locking a readers–writer lock
// that one has to write does nothing.
#ifndef FUZZ_PROGRAM_H
#define FUZZ_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { MAX_THREADS = 20, MAX_CODE = 48, MAX_REGS = 3, MAX_CELLS = 16, MAX_MUTEXES = 3, MAX_CONDS = 2, MAX_ONCES = 2 };
enum { MAX_RWLOCKS = 2, MAX_SEMS = 2 };

enum code {
    DO_LOAD,    // reg = cell
    DO_STORE,   // cell = value
    DO_COPY,    // cell = reg + value
    DO_ADD,     // reg = cell, cell += value
    DO_CAS,     // if cell == other then cell = value; reg = whether it did
    DO_CAS_REG, // if cell == reg then cell = reg + value, else reg = cell; register `other` = whether it did
    DO_LOCK,
    DO_UNLOCK,
    DO_TRYLOCK, // reg = whether it was free
    DO_WAIT,    // on condition variable `object` with mutex `other`
    DO_SIGNAL,
    DO_BROADCAST,
    DO_CHOOSE, // reg = one of 0 … value - 1
    DO_ONCE,   // reg = whether the thread is the one to do it; waits while another is at it
    DO_DONE,   // it is done, if this thread was to do it
    DO_START,  // thread `object`, which does not run before
    DO_JOIN,   // waits until thread `object` has ended
    DO_EXIT,   // the whole process
    DO_ASSUME, // reg == value, or the thread stops
    DO_ASSERT, // reg != value, or the thread stops and the program has failed
    DO_SKIP,   // leaves out the next instruction if reg == value
    DO_END,    // the thread ends if reg == value
    DO_RDLOCK, // of a readers–writer lock; one thread may do it more than once
    DO_WRLOCK,
    DO_RWUNLOCK,
    DO_SEM_WAIT,
    DO_SEM_TRYWAIT, // reg = whether the count was not zero
    DO_SEM_POST,
    DO_BARRIER, // waits until program.barrier threads are there
    DO_FAULT,   // reg = 1 if the call fails, as at most program.faults do
    DO_BACK,    // goes back to instruction `other` if reg == value; a step of its own
    DO_KINDS
};

struct instr {
    uint8_t code, object, reg, value, other;
    uint8_t releases; // DO_ADD, DO_CAS, DO_CAS_REG: counts as a write even if it stores what was there
};

struct program {
    uint32_t threads;
    uint32_t length[MAX_THREADS];
    struct instr code[MAX_THREADS][MAX_CODE];
    uint8_t sem[MAX_SEMS]; // at first
    uint8_t barrier;
    uint8_t faults;              // in an execution, at most
    uint8_t leader[MAX_THREADS]; // the thread, plus 1, whose function this one runs, in real programs; 0: its own
};

// What a generated program may contain besides loads, stores, additions, compare-and-swaps and branches.
enum language {
    WITH_MUTEX = 1,
    WITH_TRYLOCK = 2,
    WITH_COND = 4,
    WITH_CHOOSE = 8,
    WITH_STOP = 16, // assume and assert
    WITH_EXIT = 32,
    WITH_THREADS = 64, // start and join
    WITH_ONCE = 128,
    WITH_RWLOCK = 256,
    WITH_SEM = 512,
    WITH_BARRIER = 1024,
    WITH_LOOPS = 2048, // such programs may have no end
    WITH_FAULTS = 8192,
    WITH_KIN = 4096 // real programs: threads that run one function
};

// How an execution ended, the same bytes for the same end.
enum status { IS_ABSENT, IS_RUNNING, IS_LEAVING, IS_WAITING, IS_WOKEN, IS_STOPPED, IS_ENDED, IS_ARRIVED };

struct outcome {
    uint8_t cell[MAX_CELLS];
    struct {
        uint8_t pc, status, reg[MAX_REGS];
    } thread[MAX_THREADS];
    uint8_t failed, exited;
};

void program_random(struct program *p, uint32_t language, uint64_t seed);
void program_print(const struct program *p, FILE *out);
void program_add(struct program *p, uint32_t thread, struct instr instr);
void program_delete(struct program *p, uint32_t thread, uint32_t at);
void program_delete_thread(struct program *p, uint32_t thread);
bool program_has(const struct program *p, enum code code);
uint32_t program_users(const struct program *p, enum code code); // how many threads have such an instruction

// Whether the thread runs from the beginning: nobody starts it.
bool program_runs_at_first(const struct program *p, uint32_t thread);

// The thread's instruction at pc, or null at its end.
static inline const struct instr *program_at(const struct program *p, uint32_t thread, uint32_t pc)
{
    return pc < p->length[thread] ? &p->code[thread][pc] : NULL;
}

// A set of 64-bit hashes that grows.
struct set {
    uint64_t *slot;
    uint32_t count, limit;
};

bool set_add(struct set *set, uint64_t hash); // false if it was there
bool set_has(const struct set *set, uint64_t hash);
bool set_equal(const struct set *a, const struct set *b);
void set_free(struct set *set);

uint64_t hash_bytes(const void *bytes, size_t n);
uint64_t splitmix(uint64_t *state);

#endif
