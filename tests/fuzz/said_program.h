// Small programs with bugs in them, as data and as C: what reports say of their failing runs is checked by fuzz_said.
//
// Thread 0 is main. Each instruction is a line of its own, so that a place in a report is an instruction. Creating, joining
// and locks are never under a condition, but what is tried to lock is let go only if that worked.
#ifndef FUZZ_SAID_PROGRAM_H
#define FUZZ_SAID_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { SAID_THREADS = 4, SAID_CODE = 20, SAID_CELLS = 2, SAID_MUTEXES = 3, SAID_REGS = 2 + SAID_MUTEXES };

enum said_code {
    SAID_LOAD,  // reg = cell
    SAID_STORE, // cell = value
    SAID_ADD,   // reg = cell, cell += value
    SAID_CAS,   // reg = whether cell was `other` and is now value
    SAID_LOCK,
    SAID_UNLOCK,
    SAID_TRYLOCK,   // reg = whether it was free
    SAID_TRYUNLOCK, // if reg
    SAID_WAIT,      // on the condition variable, with mutex `object`
    SAID_SIGNAL,
    SAID_BROADCAST,
    SAID_CHOOSE, // reg = one of 0 … value - 1
    SAID_ASSERT, // reg != value
    SAID_CREATE, // thread `object`
    SAID_JOIN,
    SAID_EXIT, // of the process
    SAID_RETURN
};

struct said_instr {
    uint8_t code, object, reg, value, other;
    bool guarded; // only if register `guard` is `equal`
    uint8_t guard, equal;
    uint32_t line; // in the C file
};

struct said_program {
    uint32_t threads;
    uint32_t parent[SAID_THREADS];
    uint32_t length[SAID_THREADS];
    struct said_instr code[SAID_THREADS][SAID_CODE];
};

void said_random(struct said_program *p, uint64_t seed);

// Prints it as number `n` of a file; *line is the number of the next line, and goes on.
void said_print(struct said_program *p, uint32_t n, FILE *out, uint32_t *line);
void said_print_head(FILE *out, uint32_t *line);
void said_print_main(FILE *out, uint32_t programs);

// What heddle calls the thread.
void said_thread_name(const struct said_program *p, uint32_t thread, char name[32]);

#endif
