// Memory that the program says does not matter to what it does: logs, statistics (heddle_ignore). States that differ in
// nothing else are the same.
#ifndef TARGET_IGNORED_H
#define TARGET_IGNORED_H

#include <stdbool.h>
#include <stdint.h>

#include "model/fingerprint.h"

enum { IGNORED_RANGES = 64 };

extern uint32_t ignored_count; // ranges; survives

// Which bits of the aligned word at this address count.
uint64_t ignored_mask_of(uint64_t address);

static inline uint64_t ignored_mask(uint64_t address)
{
    return __builtin_expect(ignored_count != 0, 0) ? ignored_mask_of(address) : UINT64_MAX;
}

// Goes on with words of the program's memory, without what does not matter.
void ignored_mix_words(struct fingerprint *f, const void *from, uint64_t words);

// What a range holds now, and where it is.
uint64_t ignored_digest(uint32_t range);
uint64_t ignored_start(uint32_t range);

#endif
