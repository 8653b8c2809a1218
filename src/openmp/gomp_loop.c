// What gcc calls for loops. Each is there for long and for unsigned long long, and for each schedule.
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

#include "heddle/heddle.h"
#include "openmp/gomp.h"
#include "openmp/team.h"

typedef unsigned long long ull;

// How many steps a distance that is not 0 takes.
static ull steps(ull distance, ull step)
{
    return (distance - 1) / step + 1;
}

static ull iterations(long start, long end, long step)
{
    if (step > 0)
        return start < end ? steps((ull)end - (ull)start, (ull)step) : 0;
    return start > end ? steps((ull)start - (ull)end, 0 - (ull)step) : 0;
}

static void begin(enum schedule schedule, long start, long end, long step, long chunk, bool ordered)
{
    struct member *m = heddle_omp_member();
    heddle_omp_loop_begin(m, schedule, iterations(start, end, step), chunk > 0 ? (ull)chunk : 0, ordered);
    m->loop.start = start;
    m->loop.end = end;
    m->loop.step = step;
}

// The compiler's number of an iteration.
static ull place_of(const struct loop *loop, ull iteration)
{
    return (ull)loop->start + iteration * (ull)loop->step;
}

// The chunk ends where the loop does; a whole step further may be beyond the largest number.
static bool is_last(const struct loop *loop)
{
    return loop->first + loop->count == loop->total;
}

static bool next(long *from, long *to)
{
    struct member *m = heddle_omp_member();
    if (!heddle_omp_loop_take(m))
        return false;
    *from = (long)place_of(&m->loop, m->loop.first);
    *to = (long)(is_last(&m->loop) ? (ull)m->loop.end : place_of(&m->loop, m->loop.first + m->loop.count));
    heddle_note("takes iterations from %ld up to %ld", *from,
                (long)place_of(&m->loop, m->loop.first + m->loop.count - 1));
    return true;
}

static ull iterations_ull(bool up, ull start, ull end, ull step)
{
    if (up)
        return start < end ? steps(end - start, step) : 0;
    return start > end ? steps(start - end, 0 - step) : 0;
}

static void begin_ull(enum schedule schedule, bool up, ull start, ull end, ull step, ull chunk, bool ordered)
{
    struct member *m = heddle_omp_member();
    heddle_omp_loop_begin(m, schedule, iterations_ull(up, start, end, step), chunk, ordered);
    m->loop.start = (long long)start;
    m->loop.end = (long long)end;
    m->loop.step = (long long)step;
}

static bool next_ull(ull *from, ull *to)
{
    struct member *m = heddle_omp_member();
    if (!heddle_omp_loop_take(m))
        return false;
    *from = place_of(&m->loop, m->loop.first);
    *to = is_last(&m->loop) ? (ull)m->loop.end : place_of(&m->loop, m->loop.first + m->loop.count);
    heddle_note("takes iterations from %llu up to %llu", *from, place_of(&m->loop, m->loop.first + m->loop.count - 1));
    return true;
}

// A loop that is a region of its own: every thread begins it before the body asks for its first chunk.
struct loop_region {
    void (*body)(void *);
    void *data;
    enum schedule schedule;
    long start, end, step, chunk;
};

static void run_loop(void *argument)
{
    const struct loop_region *r = argument;
    begin(r->schedule, r->start, r->end, r->step, r->chunk, false);
    r->body(r->data);
}

#define START(name, schedule, ordered)                                                                                 \
    bool GOMP_loop_##name##_start(long start, long end, long step, long chunk, long *from, long *to)                   \
    {                                                                                                                  \
        begin(schedule, start, end, step, chunk, ordered);                                                             \
        return next(from, to);                                                                                         \
    }                                                                                                                  \
    bool GOMP_loop_ull_##name##_start(bool up, ull start, ull end, ull step, ull chunk, ull *from, ull *to)            \
    {                                                                                                                  \
        begin_ull(schedule, up, start, end, step, chunk, ordered);                                                     \
        return next_ull(from, to);                                                                                     \
    }

#define START_RUNTIME(name, ordered)                                                                                   \
    bool GOMP_loop_##name##_start(long start, long end, long step, long *from, long *to)                               \
    {                                                                                                                  \
        begin(SCHEDULE_RUNTIME, start, end, step, 0, ordered);                                                         \
        return next(from, to);                                                                                         \
    }                                                                                                                  \
    bool GOMP_loop_ull_##name##_start(bool up, ull start, ull end, ull step, ull *from, ull *to)                       \
    {                                                                                                                  \
        begin_ull(SCHEDULE_RUNTIME, up, start, end, step, 0, ordered);                                                 \
        return next_ull(from, to);                                                                                     \
    }

#define NEXT(name)                                                                                                     \
    bool GOMP_loop_##name##_next(long *from, long *to)                                                                 \
    {                                                                                                                  \
        return next(from, to);                                                                                         \
    }                                                                                                                  \
    bool GOMP_loop_ull_##name##_next(ull *from, ull *to)                                                               \
    {                                                                                                                  \
        return next_ull(from, to);                                                                                     \
    }

#define DOACROSS(name, schedule)                                                                                       \
    bool GOMP_loop_doacross_##name##_start(unsigned dimensions, long *extent, long chunk, long *from, long *to)        \
    {                                                                                                                  \
        begin_doacross(schedule, dimensions, extent, chunk);                                                           \
        return next(from, to);                                                                                         \
    }                                                                                                                  \
    bool GOMP_loop_ull_doacross_##name##_start(unsigned dimensions, ull *extent, ull chunk, ull *from, ull *to)        \
    {                                                                                                                  \
        begin_doacross_ull(schedule, dimensions, extent, chunk);                                                       \
        return next_ull(from, to);                                                                                     \
    }

#define REGION(name, schedule)                                                                                         \
    void GOMP_parallel_loop_##name(void (*body)(void *), void *data, unsigned threads, long start, long end,           \
                                   long step, long chunk, unsigned flags)                                              \
    {                                                                                                                  \
        struct loop_region region = {body, data, schedule, start, end, step, chunk};                                   \
        tell_of_region(body, data);                                                                                    \
        GOMP_parallel(run_loop, &region, threads, flags);                                                              \
    }

#define REGION_RUNTIME(name)                                                                                           \
    void GOMP_parallel_loop_##name(void (*body)(void *), void *data, unsigned threads, long start, long end,           \
                                   long step, unsigned flags)                                                          \
    {                                                                                                                  \
        struct loop_region region = {body, data, SCHEDULE_RUNTIME, start, end, step, 0};                               \
        tell_of_region(body, data);                                                                                    \
        GOMP_parallel(run_loop, &region, threads, flags);                                                              \
    }

static void begin_nest(unsigned dimensions, const ull *extent)
{
    struct member *m = heddle_omp_member();
    if (dimensions > MOST_DIMENSIONS)
        abort();
    m->nest.dimensions = dimensions;
    for (unsigned i = 0; i < dimensions; i++)
        m->nest.extent[i] = extent[i];
    heddle_omp_doacross_begin(m);
}

static void begin_doacross(enum schedule schedule, unsigned dimensions, const long *extent, long chunk)
{
    ull positive[MOST_DIMENSIONS];
    for (unsigned i = 0; i < dimensions && i < MOST_DIMENSIONS; i++)
        positive[i] = extent[i] > 0 ? (ull)extent[i] : 0;
    begin_nest(dimensions, positive);
    begin(schedule, 0, extent[0], 1, chunk, false);
}

static void begin_doacross_ull(enum schedule schedule, unsigned dimensions, const ull *extent, ull chunk)
{
    begin_nest(dimensions, extent);
    begin_ull(schedule, true, 0, extent[0], 1, chunk, false);
}

START(static, SCHEDULE_STATIC, false)
START(dynamic, SCHEDULE_DYNAMIC, false)
START(guided, SCHEDULE_GUIDED, false)
START(nonmonotonic_dynamic, SCHEDULE_DYNAMIC, false)
START(nonmonotonic_guided, SCHEDULE_GUIDED, false)
START(ordered_static, SCHEDULE_STATIC, true)
START(ordered_dynamic, SCHEDULE_DYNAMIC, true)
START(ordered_guided, SCHEDULE_GUIDED, true)
START_RUNTIME(runtime, false)
START_RUNTIME(nonmonotonic_runtime, false)
START_RUNTIME(maybe_nonmonotonic_runtime, false)
START_RUNTIME(ordered_runtime, true)
NEXT(static)
NEXT(dynamic)
NEXT(guided)
NEXT(runtime)
NEXT(nonmonotonic_dynamic)
NEXT(nonmonotonic_guided)
NEXT(nonmonotonic_runtime)
NEXT(maybe_nonmonotonic_runtime)
NEXT(ordered_static)
NEXT(ordered_dynamic)
NEXT(ordered_guided)
NEXT(ordered_runtime)
DOACROSS(static, SCHEDULE_STATIC)
DOACROSS(dynamic, SCHEDULE_DYNAMIC)
DOACROSS(guided, SCHEDULE_GUIDED)
REGION(static, SCHEDULE_STATIC)
REGION(dynamic, SCHEDULE_DYNAMIC)
REGION(guided, SCHEDULE_GUIDED)
REGION(nonmonotonic_dynamic, SCHEDULE_DYNAMIC)
REGION(nonmonotonic_guided, SCHEDULE_GUIDED)
REGION_RUNTIME(runtime)
REGION_RUNTIME(nonmonotonic_runtime)
REGION_RUNTIME(maybe_nonmonotonic_runtime)

bool GOMP_loop_doacross_runtime_start(unsigned dimensions, long *extent, long *from, long *to)
{
    begin_doacross(SCHEDULE_RUNTIME, dimensions, extent, 0);
    return next(from, to);
}

bool GOMP_loop_ull_doacross_runtime_start(unsigned dimensions, ull *extent, ull *from, ull *to)
{
    begin_doacross_ull(SCHEDULE_RUNTIME, dimensions, extent, 0);
    return next_ull(from, to);
}

// long and unsigned long long have the same size, and a position is not negative.
void GOMP_doacross_ull_post(ull *position)
{
    heddle_omp_doacross_post(heddle_omp_member(), position);
}

void GOMP_doacross_post(long *position)
{
    GOMP_doacross_ull_post((ull *)position);
}

#define DOACROSS_WAIT(name, type)                                                                                      \
    void name(type first, ...)                                                                                         \
    {                                                                                                                  \
        struct member *m = heddle_omp_member();                                                                        \
        ull at[MOST_DIMENSIONS] = {(ull)first};                                                                        \
        va_list more;                                                                                                  \
        va_start(more, first);                                                                                         \
        for (unsigned i = 1; i < m->nest.dimensions; i++)                                                              \
            at[i] = (ull)va_arg(more, type);                                                                           \
        va_end(more);                                                                                                  \
        heddle_omp_doacross_wait(m, at);                                                                               \
    }

DOACROSS_WAIT(GOMP_doacross_wait, long)
DOACROSS_WAIT(GOMP_doacross_ull_wait, ull)

// A chunk whose turn was not passed on yet has had its last chance; the loop has no next one.
void GOMP_loop_end(void)
{
    GOMP_barrier();
}

bool GOMP_loop_end_cancel(void)
{
    GOMP_barrier();
    return false;
}

void GOMP_loop_end_nowait(void)
{
}

void GOMP_ordered_start(void)
{
    heddle_omp_ordered_enter(heddle_omp_member());
}

void GOMP_ordered_end(void)
{
    heddle_omp_ordered_leave(heddle_omp_member());
}
