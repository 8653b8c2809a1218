#include "supervise/again.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "job/tolerated.h"

// The most steps that a schedule of this many can become with the minor ones: each step may have one before it, to begin or to
// join, and one after it, to let go.
static uint32_t with_minor_steps(uint32_t steps)
{
    enum { MOST = 3 };
    return steps < JOB_STEPS / MOST ? MOST * steps : JOB_STEPS - 1;
}

struct job *again_job(const struct job *found, const struct explanation *e)
{
    struct job *job = job_new();
    struct rules *rules = &job->task.rules;
    *rules = found->task.rules;
    if (rules->races == RACES_EXPLORE)
        rules->races = RACES_REPORT; // the run as it was found: no more words become visible
    job->task.outside = found->task.outside;
    job->task.max_steps =
        e->bug.turns && !found->task.turns ? with_minor_steps(found->task.max_steps) : found->task.max_steps;
    job->task.turns = e->bug.turns;
    job->task.round = e->bug.bug.round;
    job->learnt = found->learnt;
    job->learnt.racy_count = e->bug.racy;
    job->learnt.unlock_visible = e->bug.unlocks;
    job->threads = found->threads;
    job->client = found->client;
    job->tolerated = found->tolerated;
    return job;
}

void again_prefix(struct job *job, const struct step *steps, uint32_t count)
{
    memcpy(job->steps, steps, count * sizeof *steps);
    job->task.prefix_steps = count;
}

uint32_t again_steps_to(const struct job_bug *bug, const struct step *steps)
{
    uint32_t n = bug->bug.last + 1; // 0 if it failed before the first event
    return n < bug->steps && steps[n].actor == bug->bug.actor ? n + 1 : n < bug->steps ? n : bug->steps;
}

void again_want(struct job *job, const struct explanation *e)
{
    job->task.wanted = e->bug.bug;
    job->task.only_wanted = 1;
}

void again_take(struct explanation *e, const struct job *job, uint32_t which)
{
    const struct job_bug *bug = &job->answer.bug[which];
    struct step *before = e->steps;
    e->steps = alloc_array(bug->steps, sizeof *e->steps);
    memcpy(e->steps, job->steps + bug->start, bug->steps * sizeof *e->steps);
    e->bug = *bug;
    free(before);
}

bool again_take_same(struct job *found, struct explanation *e, const struct job *job)
{
    for (uint32_t i = 0; i < job->answer.bugs; i++) {
        if (!bug_same(&job->answer.bug[i].bug, &e->bug.bug, found->task.rules.tell_apart))
            continue;
        uint64_t execution = e->bug.execution;
        uint32_t racy = e->bug.racy;
        again_take(e, job, i);
        e->bug.racy = racy;
        e->bug.execution = execution;
        found->threads = job->threads;
        return true;
    }
    return false;
}

bool again_count(const struct subject *subject, const struct job *found, const struct explanation *e,
                 uint32_t *preemptions)
{
    struct job *job = again_job(found, e);
    struct subject quiet = *subject;
    quiet.progress = quiet.shows_output = false;
    if (!e->bug.turns)
        job->task.max_steps = with_minor_steps(job->task.max_steps);
    job->task.strategy = e->bug.turns ? STRATEGY_REPLAY : STRATEGY_REFINED;
    again_prefix(job, e->steps, e->bug.steps);
    again_want(job, e);
    job->task.keep_going = 1;
    job->task.seconds = RUN_SECONDS;
    run_job(&quiet, job, -1);
    *preemptions = job->answer.preemptions_seen;
    bool same = job->answer.bugs > 0;
    job_free(job);
    return same;
}

static bool is_among(const struct bug *bug, const struct job *job)
{
    for (uint32_t i = 0; i < job->answer.bugs; i++)
        if (bug_same(&job->answer.bug[i].bug, bug, job->task.rules.tell_apart))
            return true;
    return false;
}

static bool take_other(const struct job *found, struct explanation *e, const struct job *job)
{
    uint64_t execution = e->bug.execution;
    uint32_t racy = e->bug.racy, i = 0;
    while (i < job->answer.bugs && is_among(&job->answer.bug[i].bug, found))
        i++;
    if (i == job->answer.bugs)
        return false;
    again_take(e, job, i);
    e->bug.racy = racy;
    e->bug.execution = execution;
    return true;
}

static bool run_once_more(const struct subject *subject, const struct job *found, struct explanation *e)
{
    struct job *job = again_job(found, e);
    struct subject quiet = *subject;
    quiet.progress = quiet.shows_output = false;
    job->task.strategy = STRATEGY_REPLAY;
    again_prefix(job, e->steps, e->bug.steps);
    job->task.keep_going = 1;
    job->task.seconds = RUN_SECONDS;
    run_job(&quiet, job, -1);
    bool fails = is_among(&e->bug.bug, job) || take_other(found, e, job);
    job_free(job);
    return fails;
}

// A program that does not always do the same gets more than one chance.
bool again_happens(const struct subject *subject, const struct job *found, struct explanation *e)
{
    enum { CHANCES = 3 };
    bool fails = run_once_more(subject, found, e);
    for (int i = 1; i < CHANCES && !fails && !run_interrupted(); i++)
        fails = run_once_more(subject, found, e);
    return fails;
}
