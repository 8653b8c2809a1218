#include "supervise/explain.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// A job about the same program, under the same options and with the same knowledge of it.
static struct job *job_like(const struct job *found, const struct explanation *e)
{
    struct job *job = job_new();
    job->max_steps = found->max_steps;
    job->leaks = found->leaks;
    job->reuse = found->reuse;
    job->spurious = found->spurious;
    job->races = found->races;
    job->tell_apart = found->tell_apart;
    job->restart = found->restart;
    job->unlock_visible = found->unlock_visible;
    job->mixed = found->mixed;
    job->merged_count = found->merged_count;
    memcpy(job->merged, found->merged, sizeof job->merged);
    job->racy_count = e->bug.racy;
    if (e->bug.bug.kind == BUG_RACE && job->races == RACES_EXPLORE)
        job->races = RACES_REPORT; // the race itself, not what it leads to
    memcpy(job->racy, found->racy, sizeof job->racy);
    job->threads = found->threads;
    memcpy(job->thread, found->thread, sizeof job->thread);
    return job;
}

static void give_prefix(struct job *job, const struct step *steps, uint32_t count)
{
    memcpy(job->steps, steps, count * sizeof *steps);
    job->prefix_steps = count;
}

static void adopt(struct explanation *e, const struct job *job, uint32_t which)
{
    e->bug = job->bug[which];
    free(e->steps);
    e->steps = malloc((e->bug.steps + 1) * sizeof *e->steps);
    memcpy(e->steps, job->steps + e->bug.start, e->bug.steps * sizeof *e->steps);
}

// How many preemptions the run has.
static uint32_t count_preemptions(const struct subject *subject, const struct job *found, const struct explanation *e)
{
    struct job *job = job_like(found, e);
    strcpy(job->strategy, "replay");
    give_prefix(job, e->steps, e->bug.steps);
    run_job(subject, job, -1);
    uint32_t n = job->preemptions_seen;
    job_free(job);
    return n;
}

// Where exactly a stack is full depends on how much of it heddle itself needs, and that is more in a recorded run.
static bool is_overflow(const struct bug *bug)
{
    static const char begins[] = "stack overflow";
    return !strncmp(bug->text, begins, sizeof begins - 1);
}

// Strictly: also the same deadlock, and the same places of a race.
static bool same_failure(const struct bug *a, const struct bug *b, bool strictly)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == BUG_RACE)
        return a->address == b->address && a->size == b->size && (!strictly || a->pc == b->pc);
    if (a->kind == BUG_DEADLOCK || a->kind == BUG_LIVELOCK)
        return !strictly || a->number == b->number;
    if (a->kind == BUG_SIGNAL && is_overflow(a) && is_overflow(b))
        return true;
    return a->pc == b->pc;
}

// A run with at most `bound` preemptions that fails in the same way. `whole` says whether all of them were looked at.
static bool search_bounded(const struct subject *subject, struct job *found, struct explanation *e, uint32_t bound,
                           double seconds, bool *whole)
{
    struct job *job = job_like(found, e);
    strcpy(job->strategy, "dfs");
    job->preemptions = bound;
    job->seconds = seconds;
    job->only_kind = e->bug.bug.kind;
    job->keep_going = e->bug.bug.kind == BUG_RACE || found->tell_apart; // another variable may race first
    run_job(subject, job, -1);
    bool seen = false;
    for (uint32_t i = 0; i < job->bugs && !seen; i++) {
        seen = same_failure(&job->bug[i].bug, &e->bug.bug, found->tell_apart);
        if (seen) {
            uint64_t execution = e->bug.execution;
            uint32_t racy = e->bug.racy;
            adopt(e, job, i);
            e->bug.racy = racy;
            e->bug.execution = execution;
            found->threads = job->threads;
            memcpy(found->thread, job->thread, sizeof job->thread);
        }
    }
    *whole = job->end == JOB_DONE && !job->cut;
    job_free(job);
    return seen;
}

static void shrink(const struct subject *subject, struct job *found, struct explanation *e, double seconds)
{
    double until = now() + seconds;
    e->preemptions = count_preemptions(subject, found, e);
    e->minimal = true;
    for (uint32_t bound = 0; bound < e->preemptions; bound++) {
        bool whole;
        double left = until - now();
        if (left <= 0 || run_interrupted()) {
            e->minimal = false;
            return;
        }
        bool seen = search_bounded(subject, found, e, bound, left, &whole);
        if (seen) {
            e->preemptions = count_preemptions(subject, found, e);
            return;
        }
        e->minimal &= whole;
    }
}

enum outcome { AVOIDABLE, CERTAIN, UNDECIDED };

// Whether every continuation of the first `length` steps fails in the same way.
static enum outcome fate(const struct subject *subject, const struct job *found, const struct explanation *e,
                         uint32_t length, double seconds)
{
    struct job *job = job_like(found, e);
    give_prefix(job, e->steps, length);
    job->unless_kind = e->bug.bug.kind;
    job->only_kind = e->bug.bug.kind;
    job->keep_going = 1;
    job->seconds = seconds;
    run_job(subject, job, -1);
    enum outcome outcome = job->escaped ? AVOIDABLE : job->end == JOB_DONE && !job->cut ? CERTAIN : UNDECIDED;
    job_free(job);
    return outcome;
}

static void find_decisive(const struct subject *subject, const struct job *found, struct explanation *e, double seconds)
{
    if (e->bug.bug.kind == BUG_RACE) {
        e->decisive = DECISIVE_UNKNOWN;
        e->decisive_event = e->bug.bug.event;
        return;
    }
    double until = now() + seconds;
    bool proven = true;
    uint32_t avoidable = 0, certain = e->bug.steps; // the answer is the least length that is certain
    enum outcome first = fate(subject, found, e, 0, seconds / 4);
    if (first == CERTAIN) {
        e->decisive = DECISIVE_ALWAYS;
        return;
    }
    proven = first == AVOIDABLE || certain > 0;
    while (certain - avoidable > 1) {
        uint32_t middle = avoidable + (certain - avoidable) / 2;
        double left = until - now();
        enum outcome outcome = left > 0 && !run_interrupted() ? fate(subject, found, e, middle, left / 2) : UNDECIDED;
        if (outcome == AVOIDABLE)
            avoidable = middle;
        else
            certain = middle;
        proven &= outcome != UNDECIDED;
    }
    e->decisive = proven ? DECISIVE_PROVEN : DECISIVE_NOT_PROVEN;
    e->decisive_event = certain ? certain - 1 : 0;
}

void explain_bug(const struct subject *subject, const struct job *found, uint32_t which, double seconds,
                 struct explanation *result)
{
    memset(result, 0, sizeof *result);
    adopt(result, found, which);
    struct subject quiet = *subject;
    quiet.progress = false;
    if (seconds <= 0)
        return;
    shrink(&quiet, (struct job *)(uintptr_t)found, result, seconds / 2);
    find_decisive(&quiet, found, result, seconds / 2);
}

bool explain_record(const struct subject *subject, const struct job *found, struct explanation *e, const char *trace,
                    int output)
{
    int fd = open(trace, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0)
        return false;
    struct job *job = job_like(found, e);
    struct subject quiet = *subject;
    quiet.progress = false;
    strcpy(job->strategy, "replay");
    give_prefix(job, e->steps, e->bug.steps);
    job->trace_fd = fd;
    job->keep_going = 1;
    run_job(&quiet, job, output);
    bool same = false;
    for (uint32_t i = 0; i < job->bugs && !same; i++) {
        if (!same_failure(&job->bug[i].bug, &e->bug.bug, found->tell_apart))
            continue;
        same = true;
        e->bug.bug = job->bug[i].bug;
    }
    close(fd);
    job_free(job);
    return same;
}
