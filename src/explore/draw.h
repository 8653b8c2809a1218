// Pseudo-random numbers for the strategies that sample: execution number `run` of a seed always draws the same ones.
#ifndef EXPLORE_DRAW_H
#define EXPLORE_DRAW_H

#include <stdint.h>

struct draw {
    uint64_t state;
};

// splitmix64
static inline uint64_t draw_word(struct draw *d)
{
    uint64_t z = d->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline void draw_begin(struct draw *d, uint64_t seed, uint64_t run)
{
    d->state = seed;
    d->state = draw_word(d) + run * 0xd1342543de82ef95u;
}

// From 0 on and less than 1.
static inline double draw_fraction(struct draw *d)
{
    return (double)(draw_word(d) >> 11) / (double)(1ull << 53);
}

// Less than `bound`, which is at least 1; draws nothing where there is no choice.
static inline uint32_t draw_below(struct draw *d, uint32_t bound)
{
    return bound > 1 ? (uint32_t)(draw_word(d) % bound) : 0;
}

#endif
