// Blocks of code that must run without interruption: the supervisor says which, the runtime obeys
// (target/threads/engine/blocks.c, explore/atomic.c).
#ifndef MODEL_BLOCKS_H
#define MODEL_BLOCKS_H

#include <stdint.h>

enum { BLOCK_RANGES = 4096 };

// Code from `start` up to, but not including, `end` is line `line` of a block.
struct block_range {
    uint64_t start, end;
    uint16_t block;
    uint16_t loops; // control that goes back to an earlier line stays in the block
    uint32_t line;
};

struct block_job {
    uint32_t ranges;                        // 0: there are no blocks
    struct block_range range[BLOCK_RANGES]; // in the order of addresses; they do not overlap
};

#endif
