// What the supervisor (the heddle command) and a worker (the program under test) share: one block of shared memory. The supervisor
// writes the task before the worker starts, the worker writes the answer until it ends, and what it learns of the program stays
// for the next attempt. The three are structs that are assigned as a whole: what is added to one is carried along everywhere.
#ifndef JOB_JOB_H
#define JOB_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "job/answer.h"
#include "job/lessons.h"
#include "job/task.h"
#include "model/blocks.h"
#include "model/client.h"
#include "model/exec.h"
#include "model/step.h"
#include "model/waypoint.h"

// Environment: the number of the inherited file descriptor, or the path of a job that can be run several times. (In
// target/threads: CONTROL_VARIABLE.)
#define JOB_VARIABLE "HEDDLE_JOB"

// A variable that says nothing, but fills the environment up.
#define LEVEL_VARIABLE "HEDDLE_LEVEL"

enum { JOB_MAGIC = 0x68656408, JOB_STEPS = 1 << 20, TOLERATED_SLOTS = 1 << 15 };

// Who the actors are that steps name, in every execution: each is the number-th child of its parent.
struct job_thread {
    uint32_t parent, number;
};

struct job_threads {
    uint32_t count;
    struct job_thread thread[MAX_ACTORS];
};

// Failures that the supervisor has ruled to be tolerated (job/tolerated.h).
struct tolerated {
    uint32_t count;
    uint32_t outlived; // of them are misuses of calls, after which the program goes on
    uint64_t signature[TOLERATED_SLOTS];
};

struct job {
    uint32_t magic;
    uint32_t size;
    struct task task;
    struct lessons learnt;
    struct answer answer;

    // What only some jobs have.
    struct block_job blocks;  // not to be interrupted: strategy `atomic`
    struct client_job client; // the program is an object to be called by clients
    struct wish_job wishes;   // operations that are to come in some order: strategy `wishful`
    struct tolerated tolerated;

    // What the two say to one another while the worker runs.
    volatile uint32_t interrupt; // the supervisor asks to stop
    volatile uint32_t asked;     // the worker waits until this many bugs are ruled on
    volatile uint32_t ruled;     // so many are

    struct job_threads threads;
    volatile uint32_t current_steps; // the schedule under way, for the supervisor to read if the worker dies
    uint32_t steps_used;             // of `steps`: the given ones, then those of the bugs
    struct step current[JOB_STEPS];
    struct step steps[JOB_STEPS];
};

// Whether the search could have gone on.
static inline bool job_is_bounded(uint32_t end)
{
    return end == JOB_TIME || end == JOB_INTERRUPTED || end == JOB_TOO_LARGE || end == JOB_EXECUTIONS;
}

// Whether this end of one worker is that of all who share the search, wherever they are: it is not worth while, or a sample has
// shown a bug.
static inline bool job_stops_all(const struct job *job)
{
    const struct answer *a = &job->answer;
    return a->end == JOB_TOO_LARGE || (a->end == JOB_BUG && a->found_by != job->task.strategy);
}

#endif
