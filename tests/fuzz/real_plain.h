// Second family of real programs: plain memory, mutexes, atomics with memory orders, fences, threads created and joined
// anywhere; and their data races by the rules of C11, found by trying every interleaving.
#ifndef FUZZ_REAL_PLAIN_H
#define FUZZ_REAL_PLAIN_H

#include "fuzz/program.h"

enum { PLAIN_THREADS = 4, PLAIN_CODE = 12, PLAIN_REGS = 3, PLAIN_BYTES = 64, PLAIN_MUTEXES = 2, PLAIN_ATOMICS = 3 };

// The memory: p0 at 0, p1 at 8, s (a, b, c, d) at 16, u at 24, w[2] at 32, the atomics at 48, 52 (one word) and 56.
enum { ATOMICS_AT = 48 };

enum plain_code {
    PLAIN_READ,  // reg = memory at `at`, of `size` bytes
    PLAIN_WRITE, // memory at `at` = reg + value if `from` is 1, else value, repeated in every byte
    PLAIN_COPY,  // memory at `at` = memory at `from`, `size` bytes
    PLAIN_LOAD,  // atomics: `at` is the number of one
    PLAIN_STORE,
    PLAIN_ADD, // or another read-modify-write: `form` is an enum plain_rmw
    PLAIN_CAS, // from 0 or 1 (`from`) to value; reg = whether
    PLAIN_FENCE,
    PLAIN_LOCK,
    PLAIN_UNLOCK,
    PLAIN_TRYLOCK,
    PLAIN_SKIP, // leaves out the next instruction if reg == value
    PLAIN_END,  // the thread ends if reg == value
    PLAIN_CREATE,
    PLAIN_JOIN
};

// What threads that run one function get as an argument, and whether they use it: for the element of an array that is theirs, or
// for what they write.
enum plain_telling { TELLS_NOTHING, TELLS_UNUSED, TELLS_PLACE, TELLS_VALUE, PLAIN_TELLINGS };

enum plain_rmw { FORM_ADD, FORM_EXCHANGE, FORM_OR, FORMS };

struct plain_instr {
    uint8_t code, at, size, from, reg, value, order, form;
};

// Thread 0 is main; when it ends, the process does.
struct real_plain {
    uint32_t threads;
    uint32_t length[PLAIN_THREADS];
    struct plain_instr code[PLAIN_THREADS][PLAIN_CODE];
    uint8_t leader[PLAIN_THREADS]; // the thread, plus 1, whose function this one runs; 0: its own
    enum plain_telling telling;
    uint8_t told_at; // the instruction at which it does
};

struct plain_truth {
    uint64_t racy;       // bytes
    struct set outcomes; // if asked for: of executions in which main ended; with and without memory
    struct set locals;   // those without
    bool deadlock;
};

enum plain_language {
    WITH_VALUES = 1,    // what plain memory holds decides what is done; every thread is joined by the end of main
    WITH_MIXED = 2,     // atomics are accessed plainly as well
    WITH_UNCHANGED = 4, // read-modify-writes that store what was there
    WITH_WIDE = 8,      // accesses beyond the end of a word
    WITH_EXCHANGE = 16, // other read-modify-writes than additions, and messages that leave the value as it is
    WITH_ALIKE = 32     // threads that run one function
};

void real_plain_random(struct real_plain *p, uint32_t language, uint64_t seed);
bool real_plain_joins_all(const struct real_plain *p); // whatever it does
void real_plain_print(const struct real_plain *p, uint32_t number, FILE *out);
void real_plain_print_memory(FILE *out); // before all programs of a file
bool real_plain_truth(const struct real_plain *p, bool values, struct plain_truth *truth, uint32_t limit);

// What registers count for in what all threads of one function leave: the same in the C program and in the enumeration.
uint64_t plain_weight(const uint8_t *registers);

// The name of the variable that holds this byte, as reports write it.
const char *plain_name(uint32_t byte);

#endif
