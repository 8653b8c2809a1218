// Random executions that look for deep bugs, run in turn with those of a search.
//
// Distributed systems fail after several phases: the nodes agree on something, a fault happens, the others go on with
// what is left, and so on. Uniform choices hardly ever let a phase finish. So a sample proceeds in *phases*. Each
// begins with a fault, if one is left, and some nodes become slow. Then messages between the others are delivered,
// until there are none or for a while. Messages that stay behind may arrive later. Each execution draws its own habits:
// how long phases are, which nodes are slow, which faults happen and to which nodes. Most samples do not start at the
// beginning but at a rare state that an earlier one reached (rare.h).
//
// A sample chooses a fault (does this timer run out?) when it wants one, not as soon as it can choose. It uses neither
// sleep sets nor visited states: samples find bugs; covering everything is the search's task.
#ifndef CLUSTER_PHASED_SAMPLE_H
#define CLUSTER_PHASED_SAMPLE_H

#include "explore/draw.h"
#include "explore/strategy.h"

// Which of what can be delivered comes first in an execution.
enum sample_order { SAMPLE_UNIFORM, SAMPLE_BY_LINK, SAMPLE_BY_RECEIVER, SAMPLE_OLDEST, SAMPLE_NEWEST, SAMPLE_ORDERS };

struct sampler {
    const struct strategy *s;
    uint64_t seed, run;
    struct draw draw;
    // Habits of the execution at hand.
    enum sample_order order;
    uint64_t salt;        // of ranks
    uint32_t length;      // of a phase, on average; 0: to its end
    uint32_t slowness;    // of eight nodes, so many are slow in a phase
    uint32_t fault_kinds; // a bit for each that happens
    uint32_t fault_nodes; // a bit for each that is befallen
    uint32_t faults;      // to come
    bool requests_begin;  // requests come at the beginning of phases
    bool old_wait;        // what was sent in an earlier phase waits until the last one is over
    // The phase at hand.
    uint32_t slow;        // a bit for each node
    uint32_t left;        // events to come
    uint32_t first_entry; // what was put before is old
    int under_way;        // the actor that has chosen, whose event comes next; or -1
    // Where executions begin.
    struct rare *rare;
    const struct step *prefix; // steps that come first
    uint32_t prefix_count;
    uint32_t in_vain; // executions since one came to something new
};

void sampler_open(struct sampler *sampler, const struct strategy *s, uint64_t seed);
void sampler_close(struct sampler *sampler);

// Another execution begins.
void sampler_begin(struct sampler *sampler);

// The next step; false at the end of the execution, and when there is no room for another step.
bool sampler_pick(struct sampler *sampler, struct step *step);

#endif
