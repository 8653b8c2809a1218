// What gcc calls: parallel regions, barriers, single, sections, critical, cancellation.
#include <stdbool.h>
#include <stdlib.h>

#include "openmp/exclusion.h"
#include "openmp/gomp.h"
#include "openmp/team.h"

void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags)
{
    (void)flags; // proc_bind
    tell_of_region(body, data);
    heddle_omp_run_team(heddle_omp_team_size(heddle_omp_member(), threads), body, data);
}

void GOMP_barrier(void)
{
    heddle_omp_barrier(heddle_omp_member());
}

bool GOMP_barrier_cancel(void)
{
    GOMP_barrier();
    return false;
}

// Cancellation is off, as it is without OMP_CANCELLATION.
bool GOMP_cancel(int which, bool condition)
{
    (void)which, (void)condition;
    return false;
}

bool GOMP_cancellation_point(int which)
{
    (void)which;
    return false;
}

bool GOMP_single_start(void)
{
    return heddle_omp_single(heddle_omp_member());
}

// Null for the thread that executes the construct; for the others the data that it hands to them.
void *GOMP_single_copy_start(void)
{
    struct member *m = heddle_omp_member();
    if (heddle_omp_single(m))
        return NULL;
    heddle_omp_barrier(m);
    return m->team->copied;
}

// The compiler adds the barrier after which the data may go.
void GOMP_single_copy_end(void *data)
{
    struct member *m = heddle_omp_member();
    m->team->copied = data;
    heddle_omp_barrier(m);
}

// Sections are a dynamic loop over their numbers, from 1; 0 says that none is left.
unsigned GOMP_sections_next(void)
{
    struct member *m = heddle_omp_member();
    return heddle_omp_loop_take(m) ? (unsigned)m->loop.first + 1 : 0;
}

unsigned GOMP_sections_start(unsigned count)
{
    heddle_omp_loop_begin(heddle_omp_member(), SCHEDULE_DYNAMIC, count, 1, false);
    return GOMP_sections_next();
}

struct sections_region {
    void (*body)(void *);
    void *data;
    unsigned count;
};

// The body begins by asking for its next section.
static void run_sections(void *argument)
{
    const struct sections_region *region = argument;
    heddle_omp_loop_begin(heddle_omp_member(), SCHEDULE_DYNAMIC, region->count, 1, false);
    region->body(region->data);
}

void GOMP_parallel_sections(void (*body)(void *), void *data, unsigned threads, unsigned count, unsigned flags)
{
    struct sections_region region = {body, data, count};
    tell_of_region(body, data);
    GOMP_parallel(run_sections, &region, threads, flags);
}

void GOMP_sections_end(void)
{
    GOMP_barrier();
}

bool GOMP_sections_end_cancel(void)
{
    GOMP_barrier();
    return false;
}

void GOMP_sections_end_nowait(void)
{
}

void GOMP_critical_start(void)
{
    heddle_omp_enter_unnamed();
}

void GOMP_critical_end(void)
{
    heddle_omp_leave_unnamed();
}

void GOMP_critical_name_start(void **name)
{
    heddle_omp_enter_named(name);
}

void GOMP_critical_name_end(void **name)
{
    heddle_omp_leave_named(name);
}

// Atomic constructs that no instruction can do.
void GOMP_atomic_start(void)
{
    heddle_omp_enter_atomic();
}

void GOMP_atomic_end(void)
{
    heddle_omp_leave_atomic();
}
