// What `heddle cc` leaves in an object about the inline assembly it found there, and about accesses of compiled code without a
// hook: one *site* for each instruction that is announced to the runtime before it runs, and one *unit* that says how many
// of inline assembly there are and what could not be followed.
// Written as text by build/assembly/assembly_rewrite.c, read by target/threads/memory/assembly.c and assembly_entry.S.
#ifndef MODEL_ASSEMBLY_H
#define MODEL_ASSEMBLY_H

#include <stdbool.h>
#include <stdint.h>

enum assembly_kind {
    ASSEMBLY_LOAD = 1, // one atomic load
    ASSEMBLY_STORE,    // one atomic store
    ASSEMBLY_EXCHANGE, // read-modify-writes, of which the runtime knows the operand
    ASSEMBLY_ADD,
    ASSEMBLY_SUB,
    ASSEMBLY_AND,
    ASSEMBLY_OR,
    ASSEMBLY_XOR,
    ASSEMBLY_NEGATE,
    ASSEMBLY_ADD_CARRY,
    ASSEMBLY_SUB_CARRY,
    ASSEMBLY_BIT_SET,
    ASSEMBLY_BIT_CLEAR,
    ASSEMBLY_BIT_FLIP,
    ASSEMBLY_COMPARE_EXCHANGE,      // with rax
    ASSEMBLY_COMPARE_EXCHANGE_PAIR, // with edx:eax or rdx:rax, twice the size
    ASSEMBLY_PLAIN_READ,
    ASSEMBLY_PLAIN_WRITE,
    ASSEMBLY_PLAIN_UPDATE, // a read and a write
    ASSEMBLY_COPY,         // movs: from (rsi) to (rdi)
    ASSEMBLY_FILL,         // stos: to (rdi)
    ASSEMBLY_FENCE         // `immediate` is its C11 order
};

enum assembly_flags {
    ASSEMBLY_REPEATED = 1,    // copy and fill: rcx times
    ASSEMBLY_BIT_STRING = 2,  // the bit's number, in a register, says which word after the address is meant
    ASSEMBLY_HIGH_BYTE = 4,   // the register is ah, bh, ch or dh
    ASSEMBLY_FLAGS_DEAD = 8,  // nobody looks at the flags as they are before the instruction
    ASSEMBLY_BELOW_DEAD = 32, // nor at the 128 bytes below the stack pointer
    ASSEMBLY_UNLOCKED = 16,   // the read-modify-write is a load and then a store, and others may come in between
    // Compiled code in a function that does not tell of its entry: `immediate` bytes above this register is the address that
    // the function returns to.
    ASSEMBLY_CALLER_ABOVE_RSP = 64,
    ASSEMBLY_CALLER_ABOVE_RBP = 128
};

enum {
    ASSEMBLY_NO_REGISTER = 255, // the operand is the immediate
    ASSEMBLY_VECTOR = 16        // this and what follows: xmm0 …
};

struct assembly_site {
    uint8_t kind;
    uint8_t size;   // of the access in bytes
    uint8_t source; // register with the operand, by its number in the machine's encoding
    uint8_t flags;
    uint32_t live; // general registers that hold something that is still needed
    int64_t immediate;
};

// What the recorder of native runs is told of an announced access, if it is there: it stands in front of the runtime. `writes` is
// whether it does, and `reads` likewise.
void __heddle_recorded_access(const void *start, uint64_t size, int reads, int writes, int atomic, const void *pc)
    __attribute__((weak));

struct assembly_unit {
    uint32_t followed;
    uint32_t missed;     // texts that follow, each ended by a null character: "KIND OF CODE: INSTRUCTION at FILE:LINE"
    uint32_t writes;     // one of those may write to memory that heddle then does not know of
    uint32_t reads_gone; // the compiler has left out reads whose value is not used, before there were hooks
    char text[];
};

// An instruction that does nothing, right behind a call whose answer nobody reads: nopl 0x48647264(%rax,%rax).
#define ASSEMBLY_UNREAD_ANSWER "\x0f\x1f\x84\x00\x64\x72\x64\x48"
#define ASSEMBLY_UNREAD_ANSWER_TEXT "nopl 0x48647264(%rax,%rax)"

// Whether the call that returns there is such a one, as far as heddle cc found out.
static inline bool assembly_answer_is_unread(const void *pc)
{
    const char *code = pc, *mark = ASSEMBLY_UNREAD_ANSWER;
    for (int i = 0; i < 8; i++) // not past the end of all code
        if (code[i] != mark[i])
            return false;
    return true;
}

#endif
