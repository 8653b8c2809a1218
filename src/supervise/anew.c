#include "supervise/anew.h"

#include <stdio.h>
#include <string.h>

#include "base/time.h"

void anew_keep(struct anew *anew, const struct job *job)
{
    *anew = (struct anew){.task = job->task, .began = time_now()};
}

void anew_remember(struct anew *anew, const struct anew *before)
{
    struct task task = anew->task;
    double began = anew->began;
    *anew = *before;
    anew->task = task;
    anew->began = began;
}

// Races become bugs again only if their words are not visible from the start.
static void forget_findings(struct job *job)
{
    job->answer.bugs = job->task.bugs_before = 0;
    job->task.steps_before = 0;
    job->steps_used = job->task.prefix_steps;
    job->task.executions_before = 0;
    job->learnt.racy_count = 0;
    job->answer.difference = (struct difference){0};
    job->answer.account = (struct account){0};
    job->answer.cut_pc = job->answer.dropped = 0;
    job->answer.unseen_calls = 0;
    job->answer.status_seen = job->answer.wrote_plainly = job->answer.plain_reads = 0;
    if (!job->task.prefix_steps)
        job->threads.count = 1;
}

bool anew_add_atomic(struct anew *anew, uint64_t address, uint32_t size)
{
    bool fresh = false;
    for (uint64_t word = address & ~7ull; word < address + size; word += 8) {
        uint32_t i = 0;
        while (i < anew->atomics && anew->atomic[i] != word)
            i++;
        if (i < anew->atomics || i == ANEW_ATOMICS)
            continue;
        anew->atomic[anew->atomics++] = word;
        fresh = true;
    }
    return fresh;
}

void anew_name_atomic(struct anew *anew, const char *name)
{
    if (anew->named < ANEW_ATOMICS)
        snprintf(anew->names[anew->named++], DECLARED_NAME, "%s", name);
}

bool anew_repeat(const struct anew *anew, struct job *job)
{
    double given = anew->task.seconds, left = given - (time_now() - anew->began);
    if (run_interrupted() || (given > 0 && left <= 0))
        return false;
    job->task = anew->task;
    if (given > 0)
        job->task.seconds = left;
    forget_findings(job);
    memcpy(job->learnt.racy, anew->atomic, sizeof anew->atomic);
    job->learnt.racy_count = anew->atomics;
    return true;
}

bool anew_prepare(const struct anew *anew, struct job *job)
{
    return job_safer(job) && anew_repeat(anew, job);
}
