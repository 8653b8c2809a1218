// Crash recovery symmetry and reboot synchronization symmetry (seed 004, §3.4.3 and §3.4.4): what the rules abstract from
// the states of the others, sorted, is kept for all executions, and a crash (reboot) that was tried with the same is left
// out.
//
// The audit carries out what two such crashes have in common by the rule: every node that is up is told of the loss (hears
// what the node says when it starts), in the state it is in. If the others send something else, to whomever, or have
// another abstraction afterwards, the rule is suspect ("they produce the same messages and change the same local states in
// the same way"). Messages may differ in what does not matter, such as numbers that only tell them apart; whether they do
// is seen by how executions end (run.c, outcome.h).
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
