// Two of SAMC's four policies (seed 004, §3.4), by rules that come with the protocol; symmetry.h has the others.
//
// Local-message independence: two messages are independent if pd holds of either, pi of both, or pc of both. If pm
// holds of one and pd does not hold of the other they are dependent, and that wins. According to the seed, a discarded
// message stays discarded whatever happens first; but an event that makes the node take another role changes what it
// discards. So rules name such events too (HEDDLE_TURN): a turn depends on everything except messages that never matter
// (HEDDLE_STALE). Requests and timers may have rules like messages. A message that does not arrive is stale: the node
// is down, or the connection broke.
//
// Crash-message independence: here the loss of a peer is a message of its own on the connection that broke, so it
// concerns one node: pl and not pg makes it independent of the node's other messages, like pd.
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
