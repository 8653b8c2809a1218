// Random small runs for fuzz_predict: threads with random programs, run in a random order.
#ifndef FUZZ_PREDICT_RANDOM_H
#define FUZZ_PREDICT_RANDOM_H

#include <stdint.h>
#include <stdio.h>

#include "trace/recording.h"

// A finished recording of `threads` threads; the same for the same seed.
struct recording *predict_random(uint64_t seed, uint32_t threads);

// Prints it in the text form.
void predict_print(const struct recording *r, FILE *file);

#endif
