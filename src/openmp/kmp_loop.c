// What clang calls for loops, each for signed and unsigned numbers of 32 and 64 bits. Bounds include the last iteration.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "heddle/heddle.h"
#include "openmp/kmp.h"
#include "openmp/team.h"

typedef unsigned long long ull;

enum kmp_schedule {
    KMP_STATIC_CHUNKED = 33,
    KMP_STATIC = 34,
    KMP_DYNAMIC_CHUNKED = 35,
    KMP_GUIDED_CHUNKED = 36,
    KMP_RUNTIME = 37,
    KMP_AUTO = 38,
    KMP_STATIC_BALANCED = 45,
    KMP_ORDERED = 64, // less than the schedules of ordered loops, which have the same order …
    KMP_DISTRIBUTE = 90,
    KMP_MODIFIERS = 0x60000000 // monotonic, nonmonotonic
};

static enum schedule plain_schedule(int32_t kmp)
{
    switch (kmp) {
    case KMP_DYNAMIC_CHUNKED:
        return SCHEDULE_DYNAMIC;
    case KMP_GUIDED_CHUNKED:
        return SCHEDULE_GUIDED;
    case KMP_RUNTIME:
        return SCHEDULE_RUNTIME;
    default:
        return SCHEDULE_STATIC;
    }
}

static ull iterations(bool up, ull low, ull high, bool empty, ull step)
{
    if (empty)
        return 0;
    return up ? (high - low) / step + 1 : (low - high) / (0 - step) + 1;
}

static void dispatch_begin(int32_t kmp, ull low, ull total, ull step, ull chunk)
{
    struct member *m = heddle_omp_member();
    kmp &= ~KMP_MODIFIERS;
    bool ordered = kmp > KMP_ORDERED && kmp < KMP_DISTRIBUTE;
    kmp -= ordered ? 32 : 0; // … 32 further on
    bool with_chunk = kmp == KMP_STATIC_CHUNKED || kmp == KMP_DYNAMIC_CHUNKED || kmp == KMP_GUIDED_CHUNKED;
    heddle_omp_loop_begin(m, plain_schedule(kmp), total, with_chunk ? chunk : 0, ordered);
    m->loop.start = (long long)low;
    m->loop.step = (long long)step;
}

// The first and last value of the next chunk.
static bool dispatch_take(ull *from, ull *to, int32_t *last)
{
    struct member *m = heddle_omp_member();
    if (!heddle_omp_loop_take(m))
        return false;
    const struct loop *loop = &m->loop;
    *from = (ull)loop->start + loop->first * (ull)loop->step;
    *to = *from + (loop->count - 1) * (ull)loop->step;
    if (last)
        *last = loop->first + loop->count == loop->total;
    return true;
}

// Which iterations a thread has of a loop that needs no further calls: from the first, in pieces that are `stride` apart.
struct piece {
    ull first, count, stride;
    bool any, last;
};

static struct piece static_piece(int32_t kmp, ull total, ull chunk)
{
    const struct member *m = heddle_omp_member();
    ull size = m->team->size, number = m->number, count;
    if (kmp >= KMP_DISTRIBUTE) // there is one team
        return (struct piece){0, total, total, total > 0, true};
    if (!total)
        return (struct piece){0};
    if (kmp == KMP_STATIC_CHUNKED) {
        count = chunk ? chunk : 1;
        count = count < total ? count : total; // the pieces beyond the end are as empty
        return (struct piece){number * count, count, count * size, number * count < total,
                              total && (total - 1) / count % size == number};
    }
    if (kmp == KMP_STATIC_BALANCED && chunk) {
        count = ((total + size - 1) / size + chunk - 1) / chunk * chunk;
        bool any = number * count < total;
        ull mine = any && total - number * count < count ? total - number * count : count;
        return (struct piece){number * count, mine, total, any, any && number * count + mine == total};
    }
    ull each = total / size, more = total % size;
    count = each + (number < more);
    ull first = number * each + (number < more ? number : more);
    return (struct piece){first, count, total, count > 0, count && first + count == total};
}

#define LOOPS(suffix, type, stype)                                                                                     \
    void __kmpc_for_static_init_##suffix(const struct kmp_ident *at, int32_t thread, int32_t kmp, int32_t *last,       \
                                         type *low, type *high, stype *stride, stype step, stype chunk)                \
    {                                                                                                                  \
        (void)at, (void)thread;                                                                                        \
        bool empty = step > 0 ? *high < *low : *low < *high;                                                           \
        ull wide = (ull)(long long)step;                                                                               \
        ull total = iterations(step > 0, (ull)*low, (ull)*high, empty, wide);                                          \
        struct piece p = static_piece(kmp & ~KMP_MODIFIERS, total, (ull)chunk);                                        \
        if (last)                                                                                                      \
            *last = p.last;                                                                                            \
        *stride = (stype)(p.stride * wide);                                                                            \
        if (!p.any) { /* an empty range */                                                                             \
            *low = (type)(*high + (type)step);                                                                         \
            return;                                                                                                    \
        }                                                                                                              \
        *low = (type)((ull)*low + p.first * wide);                                                                     \
        *high = (type)((ull)*low + (p.count - 1) * wide);                                                              \
        ull end = p.first + p.count < total ? p.first + p.count : total; /* the loop cuts its pieces off itself */     \
        heddle_note("takes iterations from %lld up to %lld", (long long)*low,                                          \
                    (long long)((ull)*low + (end - p.first - 1) * wide));                                              \
    }                                                                                                                  \
    void __kmpc_dispatch_init_##suffix(const struct kmp_ident *at, int32_t thread, int32_t kmp, type low, type high,   \
                                       stype step, stype chunk)                                                        \
    {                                                                                                                  \
        (void)at, (void)thread;                                                                                        \
        bool empty = step > 0 ? high < low : low < high;                                                               \
        ull wide = (ull)(long long)step;                                                                               \
        dispatch_begin(kmp, (ull)low, iterations(step > 0, (ull)low, (ull)high, empty, wide), wide,                    \
                       chunk > 0 ? (ull)chunk : 1);                                                                    \
    }                                                                                                                  \
    int32_t __kmpc_dispatch_next_##suffix(const struct kmp_ident *at, int32_t thread, int32_t *last, type *low,        \
                                          type *high, stype *stride)                                                   \
    {                                                                                                                  \
        (void)at, (void)thread;                                                                                        \
        ull from, to;                                                                                                  \
        if (!dispatch_take(&from, &to, last))                                                                          \
            return 0;                                                                                                  \
        *low = (type)from;                                                                                             \
        *high = (type)to;                                                                                              \
        if (stride)                                                                                                    \
            *stride = (stype)heddle_omp_member()->loop.step;                                                           \
        heddle_note("takes iterations from %lld up to %lld", (long long)from, (long long)to);                          \
        return 1;                                                                                                      \
    }                                                                                                                  \
    void __kmpc_dispatch_fini_##suffix(const struct kmp_ident *at, int32_t thread)                                     \
    {                                                                                                                  \
        (void)at, (void)thread;                                                                                        \
    }

LOOPS(4, int32_t, int32_t)
LOOPS(4u, uint32_t, int32_t)
LOOPS(8, int64_t, int64_t)
LOOPS(8u, uint64_t, int64_t)

void __kmpc_for_static_fini(const struct kmp_ident *at, int32_t thread)
{
    (void)at, (void)thread;
}

void __kmpc_ordered(const struct kmp_ident *at, int32_t thread)
{
    (void)at, (void)thread;
    heddle_omp_ordered_enter(heddle_omp_member());
}

void __kmpc_end_ordered(const struct kmp_ident *at, int32_t thread)
{
    (void)at, (void)thread;
    heddle_omp_ordered_leave(heddle_omp_member());
}

struct kmp_dimension {
    int64_t low, high, step;
};

void __kmpc_doacross_init(const struct kmp_ident *at, int32_t thread, int32_t dimensions, const struct kmp_dimension *d)
{
    (void)at, (void)thread;
    struct member *m = heddle_omp_member();
    if (dimensions > MOST_DIMENSIONS)
        abort();
    m->nest.dimensions = (unsigned)dimensions;
    for (int32_t i = 0; i < dimensions; i++) {
        m->nest.low[i] = d[i].low;
        m->nest.step[i] = d[i].step;
        bool empty = d[i].step > 0 ? d[i].high < d[i].low : d[i].low < d[i].high;
        m->nest.extent[i] = iterations(d[i].step > 0, (ull)d[i].low, (ull)d[i].high, empty, (ull)d[i].step);
    }
    heddle_omp_doacross_begin(m);
}

// Values in front of the first iteration, and between two, get a number that is outside.
static void position_of(const struct nest *nest, const int64_t *values, ull *position)
{
    for (unsigned i = 0; i < nest->dimensions; i++) {
        int64_t from_low = values[i] - nest->low[i];
        position[i] = from_low % nest->step[i] ? ~0ull : (ull)(from_low / nest->step[i]);
    }
}

void __kmpc_doacross_post(const struct kmp_ident *at, int32_t thread, const int64_t *values)
{
    (void)at, (void)thread;
    struct member *m = heddle_omp_member();
    ull position[MOST_DIMENSIONS];
    position_of(&m->nest, values, position);
    heddle_omp_doacross_post(m, position);
}

void __kmpc_doacross_wait(const struct kmp_ident *at, int32_t thread, const int64_t *values)
{
    (void)at, (void)thread;
    struct member *m = heddle_omp_member();
    ull position[MOST_DIMENSIONS];
    position_of(&m->nest, values, position);
    heddle_omp_doacross_wait(m, position);
}

void __kmpc_doacross_fini(const struct kmp_ident *at, int32_t thread)
{
    (void)at, (void)thread;
}
