#include "supervise/explain.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "supervise/again.h"
#include "supervise/shrink.h"

enum outcome { AVOIDABLE, CERTAIN, UNDECIDED };

enum { SAMPLES = 200 };

// Whether a search that met no execution without the failure has met every execution there is.
static bool covered_all(const struct job *job)
{
    return job->answer.end == JOB_DONE && !job->answer.counts.cut && !job->answer.endless;
}

// Whether there may be executions of the program that no search can cover, since parts of it are not seen.
static bool sees_in_part(const struct job *job)
{
    return job->task.plain || job->answer.foreign || job->answer.unseen_calls;
}

static enum outcome fate_by(enum strategy_kind strategy, const struct subject *subject, const struct job *found,
                            const struct explanation *e, uint32_t length, double seconds)
{
    struct job *job = again_job(found, e);
    bool samples = strategy_table[strategy].samples;
    job->task.strategy = strategy;
    job->task.max_executions = samples ? SAMPLES : UINT64_MAX;
    again_prefix(job, e->steps, length);
    again_want(job, e);
    job->task.unless_wanted = job->task.keep_going = 1;
    job->task.seconds = seconds;
    run_job(subject, job, -1);
    enum outcome outcome = job->answer.escaped ? AVOIDABLE : !samples && covered_all(job) ? CERTAIN : UNDECIDED;
    job_free(job);
    return outcome;
}

// Whether every continuation of the first `length` steps has this failure. Where one does not, samples mostly show it soon;
// that there is none takes all of them.
static enum outcome explain_fate(const struct subject *subject, const struct job *found, const struct explanation *e,
                                 uint32_t length, double seconds)
{
    if (seconds <= 0 || run_interrupted())
        return UNDECIDED;
    enum outcome outcome = fate_by(STRATEGY_RANDOM, subject, found, e, length, seconds / 4);
    return outcome == UNDECIDED ? fate_by(STRATEGY_OPTIMAL, subject, found, e, length, seconds * 3 / 4) : outcome;
}

// Looks for the least number of steps after which the failure is certain, given one, and the fate after fewer steps, `low`. What
// stays undecided is neither certain nor avoidable.
static void explain_bisect(const struct subject *subject, const struct job *found, struct explanation *e, uint32_t low,
                           enum outcome fate, uint32_t certain, double until)
{
    bool avoidable = fate == AVOIDABLE; // after `low` steps
    while (certain - low > 1) {
        uint32_t middle = low + (certain - low) / 2;
        enum outcome outcome = explain_fate(subject, found, e, middle, (until - time_now()) / 2);
        if (outcome == CERTAIN) {
            certain = middle;
        } else {
            low = middle;
            avoidable = outcome == AVOIDABLE;
        }
    }
    e->decisive = avoidable ? DECISIVE_PROVEN : DECISIVE_NOT_PROVEN;
    e->decisive_event = certain - 1;
}

static void find_decisive(const struct subject *subject, const struct job *found, struct explanation *e, double seconds)
{
    double until = time_now() + seconds;
    uint32_t length = again_steps_to(&e->bug, e->steps), low = 0;
    if (bug_traits(e->bug.bug.kind)->no_decisive || sees_in_part(found)) { // the table ends where it shows
        e->decisive = DECISIVE_UNKNOWN;
        e->decisive_event = e->bug.bug.event;
        return;
    }
    enum outcome root = explain_fate(subject, found, e, 0, seconds / 2);
    enum outcome last =
        root != CERTAIN && length ? explain_fate(subject, found, e, length, (until - time_now()) / 2) : root;
    if (last == AVOIDABLE && length < e->bug.steps) {
        // A circle of waiting threads stops nobody else: until the others have come to their ends, the process may end otherwise.
        low = length;
        root = last;
        length = e->bug.steps;
        last = explain_fate(subject, found, e, length, (until - time_now()) / 2);
    }
    if (root == CERTAIN)
        e->decisive = DECISIVE_ALWAYS;
    else if (last == CERTAIN)
        explain_bisect(subject, found, e, low, root, length, until);
    else
        e->decisive = last == AVOIDABLE ? DECISIVE_NONE : DECISIVE_UNDECIDED;
}

void explain_bug(const struct subject *subject, const struct job *found, uint32_t which, double seconds,
                 struct explanation *result)
{
    memset(result, 0, sizeof *result);
    again_take(result, found, which);
    struct subject quiet = *subject;
    quiet.progress = quiet.shows_output = false;
    if (seconds <= 0) {
        if (seconds == 0)
            again_count(&quiet, found, result, &result->preemptions);
        return;
    }
    shrink_run(&quiet, (struct job *)(uintptr_t)found, result, seconds / 2);
    shrink_leave_out(&quiet, (struct job *)(uintptr_t)found, result, seconds / 8);
    shrink_outcomes(&quiet, (struct job *)(uintptr_t)found, result, seconds / 8);
    find_decisive(&quiet, found, result, seconds / 2);
}

static void keep_failures(struct explanation *e, const struct job *job)
{
    free(e->failures);
    e->failures = alloc_array(job->answer.bugs, sizeof *e->failures);
    memcpy(e->failures, job->answer.bug, job->answer.bugs * sizeof *e->failures);
    e->failure_count = job->answer.bugs;
}

bool explain_record(const struct subject *subject, const struct job *found, struct explanation *e, const char *trace,
                    int output)
{
    int fd = open(trace, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0)
        return false;
    struct job *job = again_job(found, e);
    struct subject quiet = *subject;
    quiet.progress = quiet.shows_output = false;
    job->task.strategy = STRATEGY_REPLAY;
    again_prefix(job, e->steps, e->bug.steps);
    job->task.trace_fd = fd;
    job->task.keep_going = 1;
    job->task.seconds = RUN_SECONDS;
    run_job(&quiet, job, output);
    bool same = false;
    for (uint32_t i = 0; i < job->answer.bugs && !same; i++) {
        if (!bug_same(&job->answer.bug[i].bug, &e->bug.bug, found->task.rules.tell_apart))
            continue;
        same = true;
        e->bug.bug = job->answer.bug[i].bug;
        e->failure = i;
    }
    keep_failures(e, job);
    close(fd);
    job_free(job);
    return same;
}
