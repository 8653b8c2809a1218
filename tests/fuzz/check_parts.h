// Searches that are divided, checked against those that are not.
#ifndef FUZZ_CHECK_PARTS_H
#define FUZZ_CHECK_PARTS_H

#include "fuzz/check.h"

// Parts that are given away at random moments and explored in any order have, put together, the executions of the whole search
// in its order. Programs of more traces than a few thousand are left out.
const char *check_parts(struct machine *m, uint32_t traces, uint64_t seed, struct tally *tally);

// The same for `ddpor` and `ddpor-aggressive`: together the parts show every trace, perhaps more than once.
const char *check_stacks(struct machine *m, const struct set *traces, uint64_t seed);

#endif
