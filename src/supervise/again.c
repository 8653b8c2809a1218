#include "supervise/again.h"

#include <stdlib.h>
#include <string.h>

#include "worker/tolerated.h"

// As many steps have at most so many with the minor ones: to begin or join before a step, and to let go after it.
static uint32_t with_minor_steps(uint32_t steps)
{
    enum { MOST = 3 };
    return steps < JOB_STEPS / MOST ? MOST * steps : JOB_STEPS - 1;
}

struct job *again_job(const struct job *found, const struct explanation *e)
{
    struct job *job = job_new();
    job->max_steps = e->bug.turns && !found->turns ? with_minor_steps(found->max_steps) : found->max_steps;
    job->leaks = found->leaks;
    job->status_matters = found->status_matters;
    job->reuse = found->reuse;
    job->spurious = found->spurious;
    job->fill = found->fill;
    job->races = found->races;
    job->tell_apart = found->tell_apart;
    job->restart = found->restart;
    memcpy(job->allowed, found->allowed, sizeof job->allowed);
    memcpy(job->directory, found->directory, sizeof job->directory);
    memcpy(job->trusted, found->trusted, sizeof job->trusted);
    job->learnt = found->learnt;
    job->learnt.racy_count = e->bug.racy;
    if (job->races == RACES_EXPLORE)
        job->races = RACES_REPORT; // the run as it was found: no more words become visible
    job->threads = found->threads;
    memcpy(job->thread, found->thread, sizeof job->thread);
    job->client = found->client;
    job_copy_tolerated(job, found);
    job->turns = e->bug.turns;
    job->learnt.unlock_visible = e->bug.unlocks;
    return job;
}

void again_prefix(struct job *job, const struct step *steps, uint32_t count)
{
    memcpy(job->steps, steps, count * sizeof *steps);
    job->prefix_steps = count;
}

uint32_t again_steps_to(const struct job_bug *bug, const struct step *steps)
{
    uint32_t n = bug->bug.last + 1; // 0 if it failed before the first event
    return n < bug->steps && steps[n].actor == bug->bug.actor ? n + 1 : n < bug->steps ? n : bug->steps;
}

void again_want(struct job *job, const struct explanation *e)
{
    job->wanted = e->bug.bug;
    job->only_wanted = 1;
}

void again_take(struct explanation *e, const struct job *job, uint32_t which)
{
    const struct job_bug *bug = &job->bug[which];
    struct step *before = e->steps;
    e->steps = malloc((bug->steps + 1) * sizeof *e->steps);
    memcpy(e->steps, job->steps + bug->start, bug->steps * sizeof *e->steps);
    e->bug = *bug;
    free(before);
}

bool again_take_same(struct job *found, struct explanation *e, const struct job *job)
{
    for (uint32_t i = 0; i < job->bugs; i++) {
        if (!bug_same(&job->bug[i].bug, &e->bug.bug, found->tell_apart))
            continue;
        uint64_t execution = e->bug.execution;
        uint32_t racy = e->bug.racy;
        again_take(e, job, i);
        e->bug.racy = racy;
        e->bug.execution = execution;
        found->threads = job->threads;
        memcpy(found->thread, job->thread, sizeof job->thread);
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
        job->max_steps = with_minor_steps(job->max_steps);
    job->strategy = e->bug.turns ? STRATEGY_REPLAY : STRATEGY_REFINED;
    again_prefix(job, e->steps, e->bug.steps);
    again_want(job, e);
    job->keep_going = 1;
    job->seconds = RUN_SECONDS;
    run_job(&quiet, job, -1);
    *preemptions = job->preemptions_seen;
    bool same = job->bugs > 0;
    job_free(job);
    return same;
}

static bool is_among(const struct bug *bug, const struct job *job)
{
    for (uint32_t i = 0; i < job->bugs; i++)
        if (bug_same(&job->bug[i].bug, bug, job->tell_apart))
            return true;
    return false;
}

static bool take_other(const struct job *found, struct explanation *e, const struct job *job)
{
    uint64_t execution = e->bug.execution;
    uint32_t racy = e->bug.racy, i = 0;
    while (i < job->bugs && is_among(&job->bug[i].bug, found))
        i++;
    if (i == job->bugs)
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
    job->strategy = STRATEGY_REPLAY;
    again_prefix(job, e->steps, e->bug.steps);
    job->keep_going = 1;
    job->seconds = RUN_SECONDS;
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
