#include "target/threads/engine/ignored.h"

#include "target/threads/engine/engine.h"
#include "target/threads/engine/failure.h"
#include "target/threads/libc/libc_room.h"

uint32_t ignored_count;

static struct {
    uint64_t start, size;
} ranges[IGNORED_RANGES];

void heddle_ignore_memory(const void *start, unsigned long size);
void heddle_atomic_region(int ends);

// What is meant to be atomic is for recorded runs only.
PUBLIC void heddle_atomic_region(int ends)
{
    (void)ends;
}

PUBLIC void heddle_ignore_memory(const void *start, unsigned long size)
{
    uint64_t from = (uint64_t)(uintptr_t)start;
    if (!engine.running || !size)
        return;
    for (uint32_t i = 0; i < ignored_count; i++)
        if (ranges[i].start <= from && from + size <= ranges[i].start + ranges[i].size)
            return;
    if (ignored_count == IGNORED_RANGES) {
        unsupported(engine.running,
                    "the program wants more memory to be ignored than heddle keeps in mind (64 ranges)");
        return;
    }
    ranges[ignored_count].start = from;
    ranges[ignored_count++].size = size;
}

uint64_t ignored_mask_of(uint64_t address)
{
    uint64_t mask = UINT64_MAX;
    for (uint32_t i = 0; i < ignored_count; i++) {
        if (address + 8 <= ranges[i].start || address >= ranges[i].start + ranges[i].size)
            continue;
        for (uint32_t at = 0; at < 8; at++)
            if (address + at - ranges[i].start < ranges[i].size)
                mask &= ~(0xffull << at * 8);
    }
    return mask;
}

void ignored_mix_words(struct fingerprint *f, const void *from, uint64_t words)
{
    if (__builtin_expect(!ignored_count, 1)) {
        fingerprint_mix_words(f, from, words);
        return;
    }
    for (uint64_t i = 0; i < words; i++)
        fingerprint_mix(f, ((const uint64_t *)from)[i] & ignored_mask_of((uint64_t)(uintptr_t)from + i * 8));
}

uint64_t ignored_start(uint32_t range)
{
    return ranges[range].start;
}

uint64_t ignored_digest(uint32_t range)
{
    uint64_t sum = 1;
    for (uint64_t i = 0; i < ranges[range].size; i++)
        sum = (sum ^ ((const uint8_t *)(uintptr_t)ranges[range].start)[i]) * 0x9e3779b97f4a7c15u, sum ^= sum >> 29;
    return sum;
}
