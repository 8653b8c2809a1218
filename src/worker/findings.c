#define _GNU_SOURCE
#include "worker/findings.h"

#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/raw.h"
#include "job/tolerated.h"
#include "target/threads/engine/engine_room.h"
#include "worker/halt.h"
#include "worker/learning.h"
#include "worker/sharing.h"
#include "worker/turns.h"
#include "worker/wanted.h"

void findings_keep_threads(struct job *job)
{
    job->threads.count = engine.exec.known;
    for (uint32_t i = 0; i < engine.exec.known; i++)
        job->threads.thread[i] = (struct job_thread){engine.exec.actors[i].parent, engine.exec.actors[i].number};
}

void findings_remember(struct worker *w)
{
    for (uint32_t i = 0; i < w->job->answer.bugs; i++)
        w->known[i] = job_signature(w->job, &w->job->answer.bug[i].bug);
}

bool findings_tolerate(const struct bug *bug)
{
    return job_tolerates(the_worker->job, bug);
}

// Whether a misuse stopped its thread in the execution at hand that has been ruled to be tolerated since: there the thread goes
// on, so that these are other executions.
static bool stopped_in_vain(const struct worker *w)
{
    for (uint32_t i = 0; i < engine.failure_count; i++)
        if (engine.failures[i].ends_call && job_tolerates(w->job, &engine.failures[i]))
            return true;
    return false;
}

// Its number among the bugs that are kept; `bugs` if it is not.
static uint32_t find_known(const struct worker *w, uint64_t signature)
{
    uint32_t which = 0;
    while (which < w->job->answer.bugs && w->known[which] != signature)
        which++;
    return which;
}

// The steps of the execution at hand, which several bugs may share. False if there is no room for them.
static bool keep_steps(struct worker *w)
{
    struct job *job = w->job;
    uint32_t steps = engine.exec.count;
    if (w->kept_steps)
        return true;
    if (job->steps_used + steps > JOB_STEPS)
        return false;
    memcpy(job->steps + job->steps_used, w->shown_by_other ? w->other : engine.steps, steps * sizeof *engine.steps);
    if (engine.by_sources)
        steps = steps_drop_alone(job->steps + job->steps_used, steps);
    if (job->task.major_steps)
        steps = turns_drop_minor(job, job->steps + job->steps_used, steps);
    w->kept_start = job->steps_used;
    w->kept_steps = true;
    w->kept_count = steps;
    job->steps_used += steps;
    return true;
}

// Bugs by their numbers, for the failures of the execution at hand that stand in `after`.
static void note_after(struct job_bug *kept, const struct bug *bug, const uint32_t *numbers)
{
    memset(kept->after, 0, sizeof kept->after);
    kept->follows = (uint32_t)__builtin_popcount(bug->after);
    for (uint32_t i = 0; i < MAX_FAILURES; i++)
        // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): those came first, and have their numbers
        if (bug->after >> i & 1 && numbers[i] < JOB_BUGS)
            kept->after[numbers[i] / 64] |= 1ull << (numbers[i] % 64);
}

// Whether a failure that was seen before is better shown by the execution at hand: it comes first there, and followed another one
// before; or one worker alone would have come to this execution earlier.
static bool is_better(const struct worker *w, const struct job_bug *kept, const struct bug *bug)
{
    return !bug->after && (kept->follows || sharing_is_before(w, sharing_unit(w), kept->unit));
}

enum { NO_RACES_KEPT = 64 }; // places that races leave to others, since there may be very many

// Keeps what is new, and what was only ever seen to follow another failure and comes first this time. Returns its number, or
// JOB_BUGS if there is no room.
static uint32_t keep_bug(struct worker *w, const struct bug *bug, const uint32_t *numbers)
{
    struct job *job = w->job;
    uint64_t signature = job_signature(job, bug);
    uint32_t which = find_known(w, signature);
    if (job->task.ask && job_tolerates(job, bug))
        return JOB_BUGS;
    bool is_new = which == job->answer.bugs;
    if (!is_new && !is_better(w, &job->answer.bug[which], bug))
        return which;
    if ((is_new && which + (bug_traits(bug->kind)->goes_on ? NO_RACES_KEPT : 0) >= JOB_BUGS) || !keep_steps(w)) {
        engine.failures_dropped += is_new;
        return is_new ? JOB_BUGS : which;
    }
    w->known[which] = signature;
    struct job_bug *kept = &job->answer.bug[which];
    kept->bug = *bug;
    kept->execution = job->task.executions_before + job->answer.elsewhere.executions + w->search.executions;
    kept->start = w->kept_start;
    kept->steps = w->kept_count;
    kept->turns = engine.turns && !job->task.major_steps;
    kept->unlocks = turns_unlocks(job);
    kept->racy = job->learnt.racy_count;
    kept->client = job->client.answer.at;
    kept->unit = sharing_unit(w);
    kept->in_unit = sharing_executions(w);
    note_after(kept, bug, numbers);
    job->answer.bugs += is_new;
    findings_keep_threads(job);
    return which;
}

// All are kept before anything becomes visible: the run that shows them was made without.
static bool keep_failures(struct worker *w, bool *again)
{
    const struct job *job = w->job;
    uint32_t numbers[MAX_FAILURES];
    bool found = false;
    w->kept_steps = false;
    for (uint32_t i = 0; i < engine.failure_count; i++)
        numbers[i] = wanted_is(job, &engine.failures[i]) ? keep_bug(w, &engine.failures[i], numbers) : JOB_BUGS;
    for (uint32_t i = 0; i < engine.failure_count; i++) {
        const struct bug *bug = &engine.failures[i];
        if (!wanted_is(job, bug))
            continue;
        if (bug->kind == BUG_RACE && engine.explore_races)
            *again |= learning_racy(w->job, bug);
        else
            found = true;
    }
    return found;
}

void findings_keep(struct worker *w)
{
    bool again = false;
    if (engine.failure_count && !w->only_watching && !w->shown_by_other)
        keep_failures(w, &again);
}

// Only the supervisor knows which bugs are tolerated. The search waits until the supervisor has looked at the new ones and has
// taken the tolerated ones out of the job.
static void ask_about_new(struct worker *w)
{
    static const struct timespec moment = {.tv_nsec = 500000};
    struct job *job = w->job;
    if (job->answer.bugs == job->ruled)
        return;
    job->asked = job->answer.bugs;
    while (job->ruled < job->asked && !job->interrupt)
        raw_call(SYS_nanosleep, (long)&moment, 0, 0);
    findings_remember(w);
}

// Whether the execution at hand has failed in a way that ends the search.
static bool is_refused(const struct worker *w)
{
    for (uint32_t i = 0; i < engine.failure_count; i++) {
        const struct bug *bug = &engine.failures[i];
        if (wanted_is(w->job, bug) && !(bug->kind == BUG_RACE && engine.explore_races) && !job_tolerates(w->job, bug))
            return true;
    }
    return false;
}

// An execution had more failures than heddle keeps of one. Next time the tolerated ones take no room.
static bool has_hidden_some(const struct worker *w, uint32_t tolerated_before)
{
    return w->job->task.ask && engine.failures_dropped && w->job->tolerated.count > tolerated_before;
}

bool findings_end_search(struct worker *w)
{
    struct job *job = w->job;
    bool again = false;
    uint32_t tolerated = job->tolerated.count;
    bool found = engine.failure_count && keep_failures(w, &again);
    if (engine.failure_count && job->task.ask) {
        ask_about_new(w);
        found = is_refused(w);
        again &= !found || job->task.keep_going; // or the search ends here
    }
    if (again || has_hidden_some(w, tolerated) || stopped_in_vain(w))
        halt_search(w, JOB_AGAIN);
    else if (found && !job->task.keep_going)
        halt_search(w, JOB_BUG);
    return job->answer.end != JOB_RUNNING;
}
