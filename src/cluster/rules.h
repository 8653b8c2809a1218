// SAMC's four policies (seed 004, §3.4), by rules that come with the protocol.
//
// Local-message independence: pd on either, or pi on both, or pc on both; pm on one and not pd on the other is dependent,
// and that wins. Crash-message independence: here the loss of a peer is a message of its own on the connection that broke,
// so it is a matter of one node: pl and not pg makes it independent of the node's other messages. Crash recovery and
// reboot synchronization symmetry: what the rules abstract from the states of the others, sorted, is kept for all
// executions, and a crash (reboot) that was tried with the same is left out.
#ifndef CLUSTER_RULES_H
#define CLUSTER_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct policy;

struct rules {
    bool lmi, cmi, crs, rss;
    uint64_t *history; // hashes of recoveries and synchronizations that were tried
};

void rules_open(struct rules *rules, const struct policy *policy);
void rules_close(struct rules *rules);

// Whether the first entries of two channels of one node are independent in the state at hand.
bool rules_independent(const struct rules *rules, uint32_t one, uint32_t other);

// Whether the crash or reboot at the head of the channel repeats an earlier one. If not, it is remembered.
bool rules_symmetric(struct rules *rules, uint32_t channel);

// Says in words that two entries were called independent and are not.
void rules_accuse(uint32_t one, uint32_t other, char *text, size_t room);

#endif
