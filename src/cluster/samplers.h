// Samples beside a search by turns (phased_sample.h): other processes, each a copy of the command with the world at its beginning, do
// nothing but draw samples, with seeds of their own. The first one that fails hands its steps to the search, which ends with them.
//
// Samples find bugs and cover nothing. So a search that finds none, and comes to its end, is that of one worker to the last
// execution: the same verdict and the same counts. If there is a bug, its kind of proof is the same, steps that fail again when they
// are taken; but which bug it is, and after how many executions, depends on who was quicker.
#ifndef CLUSTER_SAMPLERS_H
#define CLUSTER_SAMPLERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cluster/file.h"

enum { SAMPLERS_MOST = 63 };

struct samplers {
    uint32_t count;
    pid_t process[SAMPLERS_MOST];
    struct samplers_found *found; // in memory that all share; null if there are none
};

// What a sampler does: draws samples until one fails, counting them in *drawn. Steps of the failing one, which stay until its
// process ends, by names that hold in every process, and how many there are; null without one.
typedef const struct named_step *sampler_work(void *context, uint32_t which, volatile uint64_t *drawn, uint32_t *count);

// Starts as many as can be started, before the search. An execution has at most `limit` steps.
void samplers_begin(struct samplers *s, uint32_t count, uint32_t limit, sampler_work *work, void *context);

// Whether one has found something. Asked after every execution.
bool samplers_have_found(const struct samplers *s);

// Whether a process has ended.
bool samplers_has_ended(const struct samplers *s, uint32_t which);

// Ends them. The steps that one has found, which the caller frees; null if there are none.
struct named_step *samplers_end(struct samplers *s, uint32_t *count, uint64_t *drawn);

#endif
