// The failures that the supervisor has ruled to be tolerated, by their signatures. They stay with a job from one attempt and
// one phase to the next, and take no room from failures that are not.
#ifndef JOB_TOLERATED_H
#define JOB_TOLERATED_H

#include <stdbool.h>

#include "job/job.h"

// What tells bugs of a job apart.
static inline uint64_t job_signature(const struct job *job, const struct bug *bug)
{
    bool tell_apart = job->task.rules.tell_apart;
    uint64_t signature = bug_signature(bug);
    const struct bug_traits *traits = bug_traits(bug->kind);
    if (tell_apart && traits->shape == BUG_OF_TWO_ACCESSES)
        signature ^= (bug->pc * 0xbf58476d1ce4e5b9u) ^ ((uint64_t)bug->actor << 48) ^ ((uint64_t)bug->other << 32);
    bool variable =
        bug->address - job->answer.base < job->answer.program_size; // on the heap there may be any number of locks
    if (tell_apart && traits->by_callers && (traits->object != BUG_ON_LOCK || variable))
        signature ^= bug->address * 0x94d049bb133111ebu;
    return signature ? signature : 1;
}

// Where the signature stands in the table, or would.
static inline uint32_t tolerated_slot(const struct tolerated *tolerated, uint64_t signature)
{
    uint32_t at = (uint32_t)(signature * 0x9e3779b97f4a7c15u >> 32) % TOLERATED_SLOTS;
    while (tolerated->signature[at] && tolerated->signature[at] != signature)
        at = (at + 1) % TOLERATED_SLOTS;
    return at;
}

static inline bool job_tolerates(const struct job *job, const struct bug *bug)
{
    const struct tolerated *tolerated = &job->tolerated;
    uint64_t signature = job_signature(job, bug);
    return tolerated->count && tolerated->signature[tolerated_slot(tolerated, signature)] == signature;
}

// False if there is no room for another one.
static inline bool job_tolerate(struct job *job, const struct bug *bug)
{
    struct tolerated *tolerated = &job->tolerated;
    uint64_t signature = job_signature(job, bug);
    uint32_t at = tolerated_slot(tolerated, signature);
    if (tolerated->signature[at])
        return true;
    if (tolerated->count >= TOLERATED_SLOTS / 2)
        return false;
    tolerated->signature[at] = signature;
    tolerated->count++;
    tolerated->outlived += bug->ends_call;
    return true;
}

#endif
