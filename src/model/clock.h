// Vector clocks, kept in a pool that only grows at its end.
//
// A clock is named by its number in the pool and never changes once it is shared, so that taking a snapshot of a
// thread's knowledge copies one number, and going back to an earlier event forgets the clocks made since.
// Lane a of a clock counts the events of actor a that are known.
#ifndef MODEL_CLOCK_H
#define MODEL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t clock_id; // clock 0 of every pool is the clock that knows nothing

struct clock_pool {
    uint32_t *lanes; // count × width
    uint32_t count;
    uint32_t width; // a multiple of four; lanes beyond it are zero
    uint32_t limit; // how many lanes fit in all
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

// A fresh copy of `from` at the end of the pool, the caller's to change until it is shared.
static inline clock_id clock_copy(struct clock_pool *pool, clock_id from)
{
    clock_id id = pool->count;
    if (__builtin_expect((uint64_t)(id + 1) * pool->width > pool->limit, 0))
        clock_pool_full();
    pool->count = id + 1;
    uint32_t *to = clock_lanes(pool, id);
    const uint32_t *source = clock_lanes(pool, from);
    for (uint32_t i = 0; i < pool->width; i += 4)
        __builtin_memcpy(to + i, source + i, 16);
    return id;
}

// into := the least clock that knows what either knows.
static inline void clock_join(struct clock_pool *pool, clock_id into, clock_id other)
{
    typedef uint32_t four __attribute__((vector_size(16), aligned(4), may_alias));
    uint32_t *a = clock_lanes(pool, into);
    const uint32_t *b = clock_lanes(pool, other);
    for (uint32_t i = 0; i < pool->width; i += 4) {
        four x = *(const four *)(a + i), y = *(const four *)(b + i);
        four greater = (four)(x > y);
        *(four *)(a + i) = (x & greater) | (y & ~greater);
    }
}

#endif
