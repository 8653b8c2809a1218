// Random programs whose threads run one function, each with a way to tell them apart, which some of them use.
#ifndef FUZZ_REAL_KIN_H
#define FUZZ_REAL_KIN_H

#include "fuzz/real_sync.h"

// Makes kin of some of the program's threads. Main runs the first thread's code, and may join some of them in between.
void real_kin_make(struct real_sync *s, uint64_t seed);

// What stands in front of the threads, what a thread begins with, how it is created, and what it leaves at its end.
void real_kin_print_shared(const struct real_sync *s, uint32_t k, FILE *out);
void real_kin_print_begin(const struct real_sync *s, uint32_t k, FILE *out);
const char *real_kin_value(const struct real_sync *s, uint32_t k, uint32_t t, uint32_t at);
void real_kin_print_create(const struct real_sync *s, uint32_t k, uint32_t t, FILE *out);
void real_kin_print_end(const struct real_sync *s, uint32_t k, uint32_t t, FILE *out);

// What registers count for in what all of a kin leave: the same in the C program and in the enumeration.
uint64_t real_kin_weight(const uint8_t *registers);

#endif
