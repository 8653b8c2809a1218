// Random C programs of the kind whose races `--only races` looks for: threads that count, copy, branch and address by what
// they share, mostly under the lock that belongs to it and sometimes not. Each begins with a function of its number.
#ifndef FUZZ_PRUNE_PROGRAM_H
#define FUZZ_PRUNE_PROGRAM_H

#include <stdint.h>
#include <stdio.h>

// What all programs of a file share.
void prune_print_head(FILE *out);

void prune_print_program(uint64_t seed, uint32_t number, FILE *out);

void prune_print_main(FILE *out, uint32_t programs);

#endif
