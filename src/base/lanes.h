// Copying, clearing and comparing memory in lanes, without functions like memcpy, which belong to the program under test.
//
// Each step keeps a thread's record and its live stack, puts others back, and clears what lies below a stack; each execution
// compares main's. That is a sixth of all instructions, if a lane has 16 bytes. Where the processor has AVX, lanes of 32 bytes do it in half of them. Whether it has is asked once, when an undo log is
// made (lanes_choose), and looked up at each copy: a version of the runtime for each processor would be one more thing to build and
// to test, and a copy in a function of its own costs more than it saves.
//
// Wide lanes are moved in assembly, since the compiler must not use AVX anywhere else. After them the upper halves of the
// registers are cleared, or the processor would hold up the SSE instructions that follow. To the program this is nothing
// new: its hooks are calls, to which no vector register matters, and inline assembly keeps them all (assembly_entry.S).
#ifndef BASE_LANES_H
#define BASE_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/paths.h"

typedef long long undo_lane __attribute__((vector_size(16), aligned(1), may_alias));

struct wide_lane {
    uint8_t bytes[32];
} __attribute__((may_alias));

enum { LANES_BLOCK = 2 * sizeof(struct wide_lane) }; // bytes that are copied at once

extern bool lanes_wide; // the processor has AVX

void lanes_choose(void);

// Ends a piece of code that has used wide lanes.
static IN_PLACE void lanes_end_wide(void)
{
    __asm__ volatile("vzeroupper"
                     :
                     :
                     : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
                       "xmm12", "xmm13", "xmm14", "xmm15");
}

static IN_PLACE void lanes_copy_wide(struct wide_lane *to, const struct wide_lane *from)
{
    __asm__ volatile("vmovdqu %[from], %%ymm0\n\t"
                     "vmovdqu %[from_next], %%ymm1\n\t"
                     "vmovdqu %%ymm0, %[to]\n\t"
                     "vmovdqu %%ymm1, %[to_next]"
                     : [to] "=m"(to[0]), [to_next] "=m"(to[1])
                     : [from] "m"(from[0]), [from_next] "m"(from[1])
                     : "xmm0", "xmm1");
}

void lanes_copy_blocks(uint8_t *to, const uint8_t *from, size_t size); // where lanes are narrow

// Copies a multiple of 16 bytes, of which mostly there are few, or that were written a moment ago in smaller pieces: a wide lane
// would have to wait until all of these have reached the cache.
static IN_PLACE void copy_fresh_lanes(uint8_t *to, const uint8_t *from, size_t size)
{
    for (size_t i = 0; i < size; i += 16)
        *(undo_lane *)(to + i) = *(const undo_lane *)(from + i);
}

// Copies a multiple of 16 bytes.
static IN_PLACE void copy_lanes(uint8_t *to, const uint8_t *from, size_t size)
{
    size_t i = 0;
    if (size >= LANES_BLOCK && likely(lanes_wide)) {
        for (; i + LANES_BLOCK <= size; i += LANES_BLOCK)
            lanes_copy_wide((struct wide_lane *)(to + i), (const struct wide_lane *)(from + i));
        lanes_end_wide();
    } else if (size >= LANES_BLOCK) {
        i = size & ~(size_t)(LANES_BLOCK - 1);
        lanes_copy_blocks(to, from, i);
    }
    copy_fresh_lanes(to + i, from + i, size - i);
}

static IN_PLACE void lanes_clear_wide(struct wide_lane *to)
{
    __asm__ volatile("vpxor %%xmm0, %%xmm0, %%xmm0\n\t" // clears all of ymm0
                     "vmovdqu %%ymm0, %[a]\n\t"
                     "vmovdqu %%ymm0, %[b]\n\t"
                     "vmovdqu %%ymm0, %[c]\n\t"
                     "vmovdqu %%ymm0, %[d]"
                     : [a] "=m"(to[0]), [b] "=m"(to[1]), [c] "=m"(to[2]), [d] "=m"(to[3])
                     :
                     : "xmm0");
}

enum { LANES_CLEARED = 4 * sizeof(struct wide_lane) }; // bytes that are cleared at once

void lanes_clear_narrow(uint8_t *start, size_t size);

// Clears a multiple of LANES_CLEARED bytes that the compiler knows.
static IN_PLACE void clear_lanes(uint8_t *start, size_t size)
{
    if (unlikely(!lanes_wide)) {
        lanes_clear_narrow(start, size);
        return;
    }
#pragma GCC unroll 16
    for (size_t i = 0; i < size; i += LANES_CLEARED)
        lanes_clear_wide((struct wide_lane *)(start + i));
    lanes_end_wide();
}

// Whether two pieces of memory are the same; a multiple of LANES_BLOCK bytes, and not none.
static IN_PLACE bool lanes_same_blocks(const uint8_t *a, const uint8_t *b, size_t size)
{
    bool same;
    size_t i = 0;
    __asm__ volatile("vpxor %%xmm0, %%xmm0, %%xmm0\n" // clears all of ymm0
                     "1:\n\t"
                     "vmovups (%[a],%[i]), %%ymm1\n\t"
                     "vmovups 32(%[a],%[i]), %%ymm2\n\t"
                     "vxorps (%[b],%[i]), %%ymm1, %%ymm1\n\t"
                     "vxorps 32(%[b],%[i]), %%ymm2, %%ymm2\n\t"
                     "vorps %%ymm1, %%ymm0, %%ymm0\n\t"
                     "vorps %%ymm2, %%ymm0, %%ymm0\n\t"
                     "addq %[block], %[i]\n\t"
                     "cmpq %[size], %[i]\n\t"
                     "jb 1b\n\t"
                     "vptest %%ymm0, %%ymm0"
                     : [i] "+r"(i), "=@ccz"(same)
                     : [a] "r"(a), [b] "r"(b), [size] "r"(size), [block] "i"(LANES_BLOCK)
                     : "memory", "xmm0", "xmm1", "xmm2");
    lanes_end_wide();
    return same;
}

// The same for a multiple of 16 bytes.
static IN_PLACE bool same_lanes(const uint8_t *a, const uint8_t *b, size_t size)
{
    size_t i = 0;
    if (size >= LANES_BLOCK && likely(lanes_wide)) {
        i = size & ~(size_t)(LANES_BLOCK - 1);
        if (!lanes_same_blocks(a, b, i))
            return false;
    }
    undo_lane differs = {0, 0};
    for (; i < size; i += 16)
        differs |= *(const undo_lane *)(a + i) ^ *(const undo_lane *)(b + i);
    return !(differs[0] | differs[1]);
}

#endif
