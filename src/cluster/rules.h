// Two of SAMC's four policies (seed 004, §3.4), by rules that come with the protocol; symmetry.h has the others.
//
// Local-message independence: pd on either, or pi on both, or pc on both; pm on one and not pd on the other is dependent,
// and that wins. The seed goes on calling a message discarded whatever comes first; but what makes the node take another
// role changes what it discards. So rules say that too (HEDDLE_TURN), and it is dependent with everything that is not of no
// interest whatever happens (HEDDLE_STALE). Requests and timers may have rules like messages. What does not arrive is stale:
// the node is down, the connection broke.
//
// Crash-message independence: here the loss of a peer is a message of its own on the connection that broke, so it is a
// matter of one node: pl and not pg makes it independent of the node's other messages, like pd.
#ifndef CLUSTER_RULES_H
#define CLUSTER_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/policy.h"

// Whether the first entries of two channels of one node are independent in the state at hand.
bool rules_independent(const struct policy *policy, uint32_t one, uint32_t other);

// Says in words that two entries were called independent and are not.
void rules_accuse(uint32_t one, uint32_t other, char *text, size_t room);

#endif
