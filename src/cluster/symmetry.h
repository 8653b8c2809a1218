// Crash recovery symmetry and reboot synchronization symmetry (seed 004, §3.4.3 and §3.4.4): what the rules abstract from
// the states of the others, sorted, is kept for all executions, and a crash (reboot) that was tried with the same is left
// out.
//
// The audit carries out what two such crashes have in common by the rule: every node that is up is told of the loss (hears
// what the node says when it starts), in the state it is in. They are alike if the others send the same, to whomever, and
// have the same abstraction afterwards ("they produce the same messages and change the same local states in the same
// way").
#ifndef CLUSTER_SYMMETRY_H
#define CLUSTER_SYMMETRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symmetry {
    struct tried *history;
    bool audit;
};

void symmetry_open(struct symmetry *symmetry, bool audit);
void symmetry_close(struct symmetry *symmetry);

// Whether the crash or reboot at the head of the channel repeats an earlier one. If not, it is remembered. With an audit,
// `wrong` gets a sentence if it does by the rule and not in fact.
bool symmetry_repeats(struct symmetry *symmetry, uint32_t channel, char *wrong, size_t room);

#endif
