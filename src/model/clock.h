// Vector clocks, kept in a pool that only grows at its end.
//
// A clock is named by its number in the pool and never changes once it is shared, so that taking a snapshot of a
// thread's knowledge copies one number, and going back to an earlier event forgets the clocks made since.
// Lane a of a clock counts the events of actor a that are known.
#ifndef MODEL_CLOCK_H
#define MODEL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#ifdef __SSE4_1__
#include <smmintrin.h>
#endif

typedef uint32_t clock_id; // clock 0 of every pool is the clock that knows nothing

struct clock_pool {
    uint32_t *lanes; // count × width
    uint32_t count;
    uint32_t width; // a multiple of four, and not 0; lanes beyond it are zero
    uint32_t limit; // how many lanes fit in all …
    uint32_t most;  // … and clocks
};

void clock_pool_init(struct clock_pool *pool, uint32_t width, uint32_t limit);
void clock_pool_free(struct clock_pool *pool);

// Makes room for `actors` lanes in every clock of the pool.
void clock_pool_widen(struct clock_pool *pool, uint32_t actors);

_Noreturn void clock_pool_full(void);

static inline uint32_t *clock_lanes(const struct clock_pool *pool, clock_id id)
{
    return pool->lanes + (uint64_t)id * pool->width;
}

static inline uint32_t clock_lane(const struct clock_pool *pool, clock_id id, uint32_t actor)
{
    return pool->lanes[(uint64_t)id * pool->width + actor];
}

typedef uint32_t clock_four __attribute__((vector_size(16), aligned(4), may_alias));

static inline clock_four clock_max(clock_four a, clock_four b)
{
#ifdef __SSE4_1__
    return (clock_four)_mm_max_epu32((__m128i)a, (__m128i)b);
#else
    clock_four greater = (clock_four)(a > b);
    return (a & greater) | (b & ~greater);
#endif
}

// Room for a clock at the end of the pool.
static inline clock_id clock_fresh(struct clock_pool *pool)
{
    clock_id id = pool->count;
    if (__builtin_expect(id >= pool->most, 0))
        clock_pool_full();
    pool->count = id + 1;
    return id;
}

// A fresh copy of `from` at the end of the pool, the caller's to change until it is shared.
static inline clock_id clock_copy(struct clock_pool *pool, clock_id from)
{
    clock_id id = clock_fresh(pool);
    uint64_t width = pool->width;
    uint32_t *to = pool->lanes + id * width;
    const uint32_t *source = pool->lanes + from * width;
    for (const uint32_t *end = source + width; source < end; to += 4, source += 4)
        *(clock_four *)to = *(const clock_four *)source;
    return id;
}

// into := the least clock that knows what either knows.
static inline void clock_join(struct clock_pool *pool, clock_id into, clock_id other)
{
    uint64_t width = pool->width;
    uint32_t *a = pool->lanes + into * width;
    const uint32_t *b = pool->lanes + other * width;
    const uint32_t *end = b + width;
    do {
        *(clock_four *)a = clock_max(*(const clock_four *)a, *(const clock_four *)b);
        a += 4, b += 4;
    } while (b < end);
}

// The same in one go: a fresh clock that knows what either knows.
static inline clock_id clock_joined(struct clock_pool *pool, clock_id one, clock_id other)
{
    clock_id id = clock_fresh(pool);
    uint64_t width = pool->width;
    uint32_t *to = pool->lanes + id * width;
    const uint32_t *a = pool->lanes + one * width, *b = pool->lanes + other * width;
    const uint32_t *end = b + width;
    do {
        *(clock_four *)to = clock_max(*(const clock_four *)a, *(const clock_four *)b);
        to += 4, a += 4, b += 4;
    } while (b < end);
    return id;
}

// Copying and joining for lanes that are not in the pool, as many as its clocks have.
static inline void lanes_copy(const struct clock_pool *pool, uint32_t *to, clock_id from)
{
    const uint32_t *source = clock_lanes(pool, from);
    for (const uint32_t *end = source + pool->width; source < end; to += 4, source += 4)
        *(clock_four *)to = *(const clock_four *)source;
}

static inline void lanes_join(const struct clock_pool *pool, uint32_t *into, clock_id other)
{
    const uint32_t *source = clock_lanes(pool, other);
    for (const uint32_t *end = source + pool->width; source < end; into += 4, source += 4)
        *(clock_four *)into = clock_max(*(const clock_four *)into, *(const clock_four *)source);
}

#endif
