// Reductions that look at states: what SAMC takes from rules that people write, and what heddle finds by itself.
#ifndef CLUSTER_POLICY_H
#define CLUSTER_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "explore/strategy.h"

struct policy {
    bool automatic;          // by comparing what both orders lead to, and global states
    bool states;             // global states alone, or with rules
    bool lmi, cmi, crs, rss; // by the protocol's rules
    bool audit;              // compares what a rule calls redundant with what it is
};

// Whether it leaves out executions because the protocol's rules say so.
static inline bool policy_has_rules(const struct policy *p)
{
    return p->lmi || p->cmi || p->crs || p->rss;
}

// Whether it explores a global state only once.
static inline bool policy_has_states(const struct policy *p)
{
    return p->automatic || p->states;
}

// How visited states are kept.
struct state_keeping {
    bool exact;     // by their contents; otherwise by 64 bits of hash
    bool branching; // only those from which there is more than one way to go on
    bool alike;     // states that differ in the numbers of nodes that may change places are one
    bool whole;     // what nothing reads is part of them, too
    size_t memory;  // bytes that states and open places may take; beyond that states go to the disk. 0: any number
};

struct policy_counts {
    uint64_t compared;    // pairs of events run in both orders
    uint64_t independent; // pairs of one node that counted as independent
    uint64_t states;      // distinct global states (automatic)
    uint64_t seen;        // states that were visited again
    uint64_t forced;      // states that were not kept, since there is one way to go on
    uint32_t deepest;     // events to the state that is furthest from the beginning, on the way that led there
    size_t state_bytes, disk_bytes; // that states take in memory, and on the disk
    uint64_t state_reads;           // from the disk
    char no_disk[128];              // why states could not be written; or empty
    uint64_t skipped;               // crashes and reboots that a rule called symmetric
    uint64_t renamed;  // states visited before, up to the numbers of nodes: after crashes, or wherever states are alike
    uint64_t audited;  // answers of rules that were looked into
    uint64_t complete; // executions that came to their end …
    uint64_t marked;   // … of which the policy that only looks on would not have run so many
    uint64_t sampled;  // executions that were samples
    bool samples;      // the execution at hand is one
    bool circles;      // the execution at hand may have come to where it was before: see circles.h
    uint64_t open;     // places where something is left to try
    uint64_t outcomes; // how executions can end: compared with those that rules leave out (audit)
    char proposed[1200]; // what could be called auxiliary; or empty
    char wrong[1200];    // what an audit found, or empty
    char suspect[900];   // what looks wrong, and is unless executions end in the same ways without it; or empty
};

// Where to continue: at the last place where something is left to try, at a random one in a random way, or at each in turn.
// Systematic search finishes what it begins; random search reaches every part of the space early. Taking turns, neither gets
// stuck where the other would not. Turns also take samples in between, which find deep bugs and cover nothing. Going on at the first place is breadth-first search:
// an execution is one step then, and the first failure has a shortest way. The last one is nothing but samples, without an end.
enum policy_next { NEXT_LAST, NEXT_RANDOM, NEXT_TURNS, NEXT_FIRST, NEXT_SAMPLES };

// How to go through the executions that a policy leaves.
struct policy_search {
    struct policy policy;
    const struct policy *mark; // a policy that only looks on, or null
    enum policy_next next;
    struct state_keeping keeping;
    uint32_t patience;           // see world_settle; for audits
    struct searchers *searchers; // that share the states and the work; or null
    bool proposes;               // looks for what could be called auxiliary
    uint64_t seed;
};

// Search with sleep sets over every order of events, where events of one node are independent if the policy says so in
// this state.
struct strategy *policy_new(struct target *target, const struct policy_search *how, struct policy_counts *counts);

#endif
