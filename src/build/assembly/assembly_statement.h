// One statement of x86-64 assembly in AT&T syntax, understood as far as it takes to say what memory it accesses.
#ifndef BUILD_ASSEMBLY_STATEMENT_H
#define BUILD_ASSEMBLY_STATEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/assembly.h"

enum { STATEMENT_TEXT = 512 };

enum statement_result {
    STATEMENT_SILENT,   // accesses no memory that others could see
    STATEMENT_ANNOUNCE, // to be announced as `site` says
    STATEMENT_PREFIX,   // a prefix such as `lock` on its own: belongs to the next statement
    STATEMENT_MISSED    // not understood, or something that heddle cannot follow
};

struct statement {
    struct assembly_site site;      // all but `used`; the immediate only if it is a number that heddle chose
    char memory[STATEMENT_TEXT];    // the operand in memory, without its segment; empty if registers say where it is
    char immediate[STATEMENT_TEXT]; // the expression of the operand, without its $; empty if there is none
    bool thread_local_memory;       // relative to %fs
    bool writes;                    // STATEMENT_MISSED: it may write to memory
};

// Reads `text`: no label, no comment, no separator. `prefixes` are those that stood in front of it on their own, each
// followed by a space.
enum statement_result statement_read(struct statement *statement, const char *prefixes, const char *text);

// The bit of a register's number (general registers, then from bit 16 on all that vectors and floating-point numbers
// are kept in, as one), by any of its names without the %; 0 if it is not the name of one of these.
uint32_t register_bit(const char *name, uint32_t length);

enum { REGISTER_VECTORS = 1 << 16 };

// The number of a general register, or ASSEMBLY_VECTOR and more for xmm0 …, and its size in bytes; of ah and the like that of
// its lower byte, with *high set. False if it is none of these.
bool register_read(const char *name, uint32_t length, uint32_t *number, uint32_t *size, bool *high);

#endif
