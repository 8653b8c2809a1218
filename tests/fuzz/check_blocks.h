// Strategy `atomic`: executions in which blocks are not interrupted.
#ifndef FUZZ_CHECK_BLOCKS_H
#define FUZZ_CHECK_BLOCKS_H

#include "fuzz/check.h"

// Without blocks it has to find all traces. With random blocks, those of them that a circle between blocks (repair/segments.h)
// does not forbid: Theorem 3 of seed 001, and that the scheduler keeps to blocks. Says what is wrong, or null.
const char *check_blocks(const struct program *p, const struct set *traces, uint64_t seed, struct tally *tally);

#endif
