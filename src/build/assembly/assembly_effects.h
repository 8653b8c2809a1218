// What one instruction of a compiler's output (x86-64, AT&T syntax) does to registers and to the flow of control, as far as
// it takes to say which values are still needed. Whatever is not understood reads every register that it names.
#ifndef BUILD_ASSEMBLY_EFFECTS_H
#define BUILD_ASSEMBLY_EFFECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "build/assembly/assembly_statement.h"

enum { LIVE_FLAGS = 1 << 17, LIVE_BELOW = 1 << 18, LIVE_ALL = (1 << 19) - 1 }; // with the bits of register_bit

enum {
    EFFECTS_NAME = 64,
    EFFECTS_RBP = 1 << 5,
    EFFECTS_KEPT = 1 << 3 | 1 << 4 | EFFECTS_RBP | 0xf000 // registers that whoever is called leaves as they are
};

struct effects {
    uint32_t uses, kills;
    bool falls;                // control can go on to the next one
    bool call;                 // of another function; it may use what EFFECTS_KEPT has, which is not said here
    bool known;                // understood in full
    char target[EFFECTS_NAME]; // label that it may go to; empty if there is none
};

// Reads `text`: no label, no comment, no separator, perhaps prefixes.
void effects_read(struct effects *effects, const char *text);

// `text` without prefixes such as `lock` and the spaces around them.
const char *effects_instruction(const char *text);

// All registers that are named in it.
uint32_t effects_registers(const char *text, size_t length);

const char *effects_last_operand(const char *operands);

#endif
