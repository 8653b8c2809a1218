// The failures that the supervisor has ruled to be tolerated, by their signatures. They stay with a job from one attempt and
// one phase to the next, and take no room from failures that are not.
#ifndef WORKER_TOLERATED_H
#define WORKER_TOLERATED_H

#include <stdbool.h>
#include <string.h>

#include "worker/job.h"

// What tells bugs of a job apart.
static inline uint64_t job_signature(const struct job *job, const struct bug *bug)
{
    uint64_t signature = bug_signature(bug);
    if (job->tell_apart && bug->kind == BUG_RACE)
        signature ^= (bug->pc * 0xbf58476d1ce4e5b9u) ^ ((uint64_t)bug->actor << 48) ^ ((uint64_t)bug->other << 32);
    bool variable = bug->address - job->base < job->program_size; // on the heap there may be any number of locks
    if (job->tell_apart && ((bug->kind == BUG_LOCK_MISUSE && variable) || bug->kind == BUG_DOUBLE_FREE ||
                            bug->kind == BUG_BAD_FREE)) // several callers may have it done by one function
        signature ^= bug->address * 0x94d049bb133111ebu;
    return signature ? signature : 1;
}

// Where the signature stands in the table, or would.
static inline uint32_t tolerated_slot(const struct job *job, uint64_t signature)
{
    uint32_t at = (uint32_t)(signature * 0x9e3779b97f4a7c15u >> 32) % TOLERATED_SLOTS;
    while (job->tolerated_signature[at] && job->tolerated_signature[at] != signature)
        at = (at + 1) % TOLERATED_SLOTS;
    return at;
}

static inline bool job_tolerates(const struct job *job, const struct bug *bug)
{
    uint64_t signature = job_signature(job, bug);
    return job->tolerated && job->tolerated_signature[tolerated_slot(job, signature)] == signature;
}

// False if there is no room for another one.
static inline bool job_tolerate(struct job *job, const struct bug *bug)
{
    uint64_t signature = job_signature(job, bug);
    uint32_t at = tolerated_slot(job, signature);
    if (job->tolerated_signature[at])
        return true;
    if (job->tolerated >= TOLERATED_SLOTS / 2)
        return false;
    job->tolerated_signature[at] = signature;
    job->tolerated++;
    job->outlived += bug->ends_call;
    return true;
}

static inline void job_copy_tolerated(struct job *job, const struct job *from)
{
    job->tolerated = from->tolerated;
    job->outlived = from->outlived;
    job->outlives_all = from->outlives_all;
    memcpy(job->tolerated_signature, from->tolerated_signature, sizeof job->tolerated_signature);
}

#endif
