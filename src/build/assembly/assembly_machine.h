// What registers and stack slots of a function hold while one goes through its instructions in order, as far as it takes to
// say that two operands are the same place in memory. And the places of which a hook has told since something else could
// happen: an access there is seen already.
#ifndef BUILD_ASSEMBLY_MACHINE_H
#define BUILD_ASSEMBLY_MACHINE_H

#include "build/assembly/assembly_symbolic.h"

enum { MACHINE_GENERAL = 16, MACHINE_VECTORS = 32, MACHINE_SLOTS = 64, MACHINE_COVERS = 32 };
enum {
    MACHINE_RAX = 0,
    MACHINE_RCX = 1,
    MACHINE_RDX = 2,
    MACHINE_RSP = 4,
    MACHINE_RBP = 5,
    MACHINE_RSI = 6,
    MACHINE_RDI = 7
};

struct slot {
    struct symbolic place;
    uint32_t size;
    struct symbolic content;
};

struct cover {
    struct symbolic place;
    uint64_t size;
    bool write;
    size_t hook; // which one told of it: machine.item
};

struct machine {
    struct symbolics *values;
    struct symbolic reg[MACHINE_GENERAL];
    uint8_t vector[MACHINE_VECTORS]; // traits
    struct slot slot[MACHINE_SLOTS];
    uint32_t slots, next_slot;
    struct cover cover[MACHINE_COVERS];
    uint32_t covers, next_cover;
    size_t item; // that is gone through, by any number
    struct symbolic
        returned;         // where the last call may have put what it returns, in the frame; a number if there is none
    int64_t lowest_taken; // of the frame: what lies there or above may be known to others
};

struct operand_place {
    struct symbolic address;
    char symbol[256];         // that it is relative to; empty if there is none
    bool own_frame;           // relative to rsp or rbp itself
    bool thread_local_memory; // relative to %fs
    bool known;               // understood in full
};

// Nothing is known, but that some registers point into the frame and some hold results: a bit each.
void machine_reset(struct machine *machine, uint32_t stack, uint32_t results);

// Keeps of the slots those that are the same in both. Returns whether any was dropped.
bool machine_keep_common_slots(struct machine *machine, const struct machine *other);

// At a function's start.
void machine_start(struct machine *machine);

void machine_place(struct machine *machine, const char *operand, size_t length, struct operand_place *place);

// What an instruction does, calls and jumps aside.
void machine_step(struct machine *machine, const char *text);

void machine_hook(struct machine *machine);               // a call of one
void machine_call(struct machine *machine, bool results); // of anything else; `results`: it may return a struct

void machine_add_cover(struct machine *machine, struct symbolic place, uint64_t size, bool write);
bool machine_has_cover(const struct machine *machine, struct symbolic place, uint64_t size, bool write);
void machine_forget_covers(struct machine *machine);

// The hooks that have told of any byte there. Writes up to `room` of them; how many there are is returned.
uint32_t machine_hooks(const struct machine *machine, struct symbolic place, uint64_t size, bool write, size_t *hooks,
                       uint32_t room);

// Traits of the register or number that a store takes; the operand is the first one of an instruction.
uint32_t machine_source_traits(const struct machine *machine, const char *operand);

// The number-th operand of an instruction's text, whose operands begin at `operands`; null if there is none.
const char *machine_operand(const char *operands, uint32_t number, size_t *length);

#endif
