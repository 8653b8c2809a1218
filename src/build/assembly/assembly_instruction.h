// One instruction of a compiler's output, read as far as it takes to follow addresses in the frame: what becomes of registers,
// and which memory it names.
#ifndef BUILD_ASSEMBLY_INSTRUCTION_H
#define BUILD_ASSEMBLY_INSTRUCTION_H

#include "build/assembly/assembly_effects.h"

enum { INSTRUCTION_RSP = 4, INSTRUCTION_RBP = 5, INSTRUCTION_REGISTERS = 16, NO_REGISTER = -1 };

enum instruction_form {
    FORM_OTHER,
    FORM_COPY,    // of a whole register to another
    FORM_ADDRESS, // lea
    FORM_LOOK,    // compares, and keeps nothing
    FORM_SHIFT    // adds a number to a register
};

struct instruction {
    struct effects effects;
    enum instruction_form form;
    uint32_t values; // registers that are operands themselves, and not part of an address
    int written;     // register that is overwritten
    // An operand in memory. `exact`: so many bytes at the base and the distance, and nothing else.
    bool memory, exact, whole_store;
    bool anywhere; // it may access memory that its operands do not tell
    int base, index;
    int32_t distance, size;
    char callee[EFFECTS_NAME];
};

// `text` as for effects_read. Null: it cannot be read, and may do anything.
void instruction_read(struct instruction *instruction, const char *text);

#endif
