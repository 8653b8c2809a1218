// Random programs that use what rules and switches of a search change: blocks of the heap that are freed and given out again, memory
// that nobody wrote, calls that may fail, waits that may end without a signal, time, numbers of rand.
//
// Some threads run one function. An outcome does not say which of them did what.
#ifndef FUZZ_SWITCHED_PROGRAM_H
#define FUZZ_SWITCHED_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { SWITCHED_FUNCTIONS = 3, SWITCHED_THREADS = 4, SWITCHED_LENGTH = 6 };

struct switched_op {
    uint8_t code, object, reg, value;
};

struct switched_program {
    uint32_t threads; // besides main, which creates them and joins them in a row
    uint8_t function[SWITCHED_THREADS];
    uint32_t length[SWITCHED_FUNCTIONS];
    struct switched_op code[SWITCHED_FUNCTIONS][SWITCHED_LENGTH];
};

void switched_random(struct switched_program *p, uint64_t seed);
void switched_print(const struct switched_program *p, uint32_t number, FILE *out);

// Leaves out the n-th operation; false if there is no such operation.
bool switched_leave_out(struct switched_program *p, uint32_t n);

#endif
