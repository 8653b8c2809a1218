#define _GNU_SOURCE
#include "supervise/watchdog.h"

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_IDLE_MS = 8000, MOST_BUSY_MS = 100000 };

const char *const watchdog_lost = "nothing happens any more: the program has probably overwritten heddle's memory";

static uint64_t time_used(pid_t worker)
{
    clockid_t clock;
    struct timespec t;
    if (clock_getcpuclockid(worker, &clock) || clock_gettime(clock, &t))
        return 0;
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static uint64_t state_of(const struct job *job)
{
    uint64_t state = job->answer.beats;
    state = state * 31 + job->answer.counts.executions;
    state = state * 31 + job->answer.counts.events;
    return state * 31 + job->current_steps;
}

const char *watchdog_look(struct watchdog *w, pid_t worker, const struct job *job, int passed_ms)
{
    uint64_t state = state_of(job), used = time_used(worker);
    bool changed = state != w->seen;
    if (changed) {
        w->seen = state;
        w->used = used;
    }
    w->idle_ms = changed || used != w->latest ? 0 : w->idle_ms + passed_ms;
    w->latest = used;
    if (getenv("HEDDLE_DEBUG")) // somebody may be looking at it with a debugger
        return NULL;
    if (w->idle_ms >= MOST_IDLE_MS)
        return "the program waits in a system call that heddle does not see, or has overwritten heddle's memory";
    return used - w->used >= MOST_BUSY_MS ? watchdog_lost : NULL;
}
