// omp_… functions about threads, regions and settings. The headers of the compilers differ in types that are not needed here,
// so none is included.
#include <limits.h>
#include <stdbool.h>
#include <time.h>

#include "openmp/team.h"

int omp_get_thread_num(void)
{
    return (int)heddle_omp_member()->number;
}

int omp_get_num_threads(void)
{
    return (int)heddle_omp_member()->team->size;
}

int omp_get_max_threads(void)
{
    return (int)heddle_omp_member()->task->settings.threads;
}

void omp_set_num_threads(int threads)
{
    if (threads > 0)
        heddle_omp_member()->task->settings.threads = (unsigned)threads;
}

// A search has as many as it has threads, whatever the machine has.
int omp_get_num_procs(void)
{
    return (int)heddle_omp_settings_of_environment().threads;
}

int omp_in_parallel(void)
{
    return heddle_omp_member()->team->active_level > 0;
}

int omp_get_level(void)
{
    return (int)heddle_omp_member()->team->level;
}

int omp_get_active_level(void)
{
    return (int)heddle_omp_member()->team->active_level;
}

// The calling thread's ancestor at a level, or null.
static const struct member *ancestor(int level)
{
    const struct member *m = heddle_omp_member();
    if (level < 0 || level > (int)m->team->level)
        return NULL;
    while ((int)m->team->level > level)
        m = m->team->creator;
    return m;
}

int omp_get_ancestor_thread_num(int level)
{
    const struct member *m = ancestor(level);
    return m ? (int)m->number : -1;
}

int omp_get_team_size(int level)
{
    const struct member *m = ancestor(level);
    return m ? (int)m->team->size : -1;
}

int omp_get_thread_limit(void)
{
    return (int)heddle_omp_member()->task->settings.limit;
}

void omp_set_dynamic(int on)
{
    heddle_omp_member()->task->settings.dynamic = on != 0;
}

int omp_get_dynamic(void)
{
    return (int)heddle_omp_member()->task->settings.dynamic;
}

void omp_set_max_active_levels(int levels)
{
    if (levels >= 0)
        heddle_omp_member()->task->settings.most_active = (unsigned)levels;
}

int omp_get_max_active_levels(void)
{
    return (int)heddle_omp_member()->task->settings.most_active;
}

int omp_get_supported_active_levels(void)
{
    return INT_MAX;
}

void omp_set_nested(int on)
{
    heddle_omp_member()->task->settings.most_active = on ? INT_MAX : 1;
}

int omp_get_nested(void)
{
    return heddle_omp_member()->task->settings.most_active > 1;
}

// omp_sched_t: 1 static, 2 dynamic, 3 guided, 4 auto; the highest bit says monotonic.
void omp_set_schedule(unsigned kind, int chunk)
{
    struct settings *settings = &heddle_omp_member()->task->settings;
    unsigned plain = kind & 0x7fffffff;
    settings->schedule = plain == 2 ? SCHEDULE_DYNAMIC : plain == 3 ? SCHEDULE_GUIDED : SCHEDULE_STATIC;
    settings->automatic = plain == 4;
    settings->chunk = chunk > 0 ? (unsigned long long)chunk : 0;
}

void omp_get_schedule(unsigned *kind, int *chunk)
{
    const struct settings *settings = &heddle_omp_member()->task->settings;
    *kind = settings->automatic ? 4 : (unsigned)settings->schedule + 1;
    *chunk = (int)settings->chunk;
}

int omp_in_final(void)
{
    return heddle_omp_member()->task->final;
}

int omp_get_cancellation(void)
{
    return 0;
}

int omp_get_max_task_priority(void)
{
    return 0;
}

double omp_get_wtime(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double omp_get_wtick(void)
{
    return 1e-9;
}

// There are no devices but the machine itself, and threads stay where they are.
int omp_get_num_devices(void)
{
    return 0;
}

int omp_get_default_device(void)
{
    return 0;
}

void omp_set_default_device(int device)
{
    (void)device;
}

int omp_get_initial_device(void)
{
    return 0;
}

int omp_is_initial_device(void)
{
    return 1;
}

int omp_get_num_teams(void)
{
    return 1;
}

int omp_get_team_num(void)
{
    return 0;
}

int omp_get_proc_bind(void)
{
    return 0;
}

int omp_get_num_places(void)
{
    return 0;
}
