// Crash recovery symmetry and reboot synchronization symmetry (seed 004, §3.4.3 and §3.4.4). What the rules abstract
// from the states of the other nodes, sorted, is kept for all executions. A crash (or reboot) that was already tried
// with the same abstraction is left out.
//
// The audit checks what the rule claims two such crashes have in common: every node that is up is told of the loss (or
// hears what the rebooted node says), in the state it is in. If the nodes send something else, to whomever, or have
// another abstraction afterwards, the rule is suspect ("they produce the same messages and change the same local states
// in the same way"). Messages may differ in details that do not matter, such as numbers that only distinguish them; how
// executions end shows whether they matter (cluster_run.c, outcome.h).
//
// A crash or a reboot counts as tried together with those that are already chosen to follow, since another crash may
// hide the consequences of this one; and with the events that were asleep then, as a state does in visited.h.
#ifndef CLUSTER_SYMMETRY_H
#define CLUSTER_SYMMETRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/actor_set.h"

struct symmetry {
    struct tried *history;
    bool audit;
};

void symmetry_open(struct symmetry *symmetry, bool audit);
void symmetry_close(struct symmetry *symmetry);

// Whether the crash or reboot at the head of the channel repeats an earlier one, after which no more was asleep. If not, it is remembered. With an audit,
// `suspect` gets a sentence, unless it has one, if it does by the rule and what the others do about it differs.
bool symmetry_repeats(struct symmetry *symmetry, uint32_t channel, const struct actor_set *sleep, char *suspect,
                      size_t room);

#endif
