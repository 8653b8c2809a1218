// Reductions that look at states: what SAMC takes from rules that people write, and what heddle finds by itself.
#ifndef CLUSTER_POLICY_H
#define CLUSTER_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "explore/strategy.h"

struct policy {
    bool automatic;          // by comparing what both orders lead to, and global states
    bool lmi, cmi, crs, rss; // by the protocol's rules
    bool audit;              // compares what a rule calls redundant with what it is
};

// Whether it leaves out executions because the protocol's rules say so.
static inline bool policy_has_rules(const struct policy *p)
{
    return p->lmi || p->cmi || p->crs || p->rss;
}

struct policy_counts {
    uint64_t compared;    // pairs of events run in both orders
    uint64_t independent; // pairs of one node that counted as independent
    uint64_t states;      // distinct global states (automatic)
    uint64_t seen;        // states that were visited again
    uint64_t skipped;     // crashes and reboots that a rule called symmetric
    uint64_t renamed;     // crashes that led to a state visited before, up to the numbers of nodes (automatic)
    uint64_t audited;     // answers of rules that were looked into
    uint64_t complete;    // executions that came to their end …
    uint64_t marked;      // … of which the policy that only looks on would not have run so many
    uint64_t sampled;     // executions that were samples
    bool samples;         // the execution at hand is one
    uint64_t open;        // places where something is left to try
    uint64_t outcomes;    // how executions can end: compared with those that rules leave out (audit)
    char wrong[1200];     // what an audit found, or empty
    char suspect[900];    // what looks wrong, and is unless executions end in the same ways without it; or empty
};

// Where to continue: at the last place where something is left to try, at a random one in a random way, or at each in turn.
// Systematic search finishes what it begins; random search reaches every part of the space early. Taking turns, neither gets
// stuck where the other would not. Turns also take samples in between, which find deep bugs and cover nothing. The last one is nothing
// but samples, without an end.
enum policy_next { NEXT_LAST, NEXT_RANDOM, NEXT_TURNS, NEXT_SAMPLES };

// How to go through the executions that a policy leaves.
struct policy_search {
    struct policy policy;
    const struct policy *mark; // a policy that only looks on, or null
    enum policy_next next;
    uint64_t seed;
};

// Search with sleep sets over every order of events, where events of one node are independent if the policy says so in
// this state.
struct strategy *policy_new(struct target *target, const struct policy_search *how, struct policy_counts *counts);

#endif
