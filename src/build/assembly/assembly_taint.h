// Where the values go that a function reads: one instruction after the other, for assembly_flows.c.
//
// Each register, the flags and each slot of the frame has a set of the function's reads whose values may be part of it. A value
// *escapes* where it decides what the program does: a branch, an address, an argument, a result. Slots are not followed by the
// flow of control: once a value may be in one, it may be there always.
#ifndef BUILD_ASSEMBLY_TAINT_H
#define BUILD_ASSEMBLY_TAINT_H

#include "build/assembly/assembly_walk.h"

enum { TAINT_VECTORS = 16, TAINT_SLOTS = 1024, TAINT_SLOT = 4 /* bytes */ };

// Sets of reads.
struct taint {
    uint64_t reg[MACHINE_GENERAL];
    uint64_t vector[TAINT_VECTORS];
    uint64_t flags;
    uint64_t
        stale; // reads that may not have been done yet, or before something that orders threads, such as letting go of a lock
};

// What holds anywhere in the function.
struct taint_function {
    uint64_t slot[TAINT_SLOTS]; // below the canonical frame address, downwards
    uint64_t elsewhere;         // in the frame, nobody knows where
    uint64_t escapes;
    uint64_t waits;      // decide whether the thread waits for, or signals, a condition variable
    const char *unknown; // an instruction that is not understood: then nothing is known of the function
    bool changed;        // since this was cleared
    uint8_t *read;       // of each item, if it is a hook: the number of what it tells of, plus 1; 0: none
    uint64_t *stored;    // … and which reads are in what is written there
};

// What follows an instruction.
enum taint_next { TAINT_GOES_ON, TAINT_BRANCHES, TAINT_JUMPS, TAINT_ENDS };

// One instruction, without its prefixes. `operand` is where its operand in memory lies. A branch does not let its flags escape: that
// is left to the caller.
enum taint_next taint_step(struct taint *taint, struct taint_function *f, const char *text,
                           const struct walked_operand *operand);

void taint_escape(struct taint_function *f, uint64_t reads);

// The function ends by going on in another one.
void taint_tail_call(struct taint *taint, struct taint_function *f, const char *callee);

// Whether the callee never returns and does nothing that could race.
bool taint_gives_up(const char *callee);

#endif
