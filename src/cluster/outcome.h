// How an execution has ended, as far as anybody can observe. This decides whether rules lose anything.
//
// For each node it matters whether the node is up, and then what the rules' `outcome` says of its state; which node is
// which matters only if `outcome` says so. Without `outcome` everything matters, up to the renamings that the protocol
// allows.
#ifndef CLUSTER_OUTCOME_H
#define CLUSTER_OUTCOME_H

#include <stddef.h>
#include <stdint.h>

// Of the world at hand, in which nothing is left to happen.
uint64_t outcome_hash(void);

// The states of all nodes in words.
void outcome_tell(char *text, size_t room);

#endif
