// How an execution has ended, as far as anybody can see: whether rules lose something is judged by that.
//
// Of each node it counts whether it is up and what the rules' `outcome` says of its state then; who is who counts if that
// says so. Without `outcome` everything counts, up to the renamings that the protocol allows.
#ifndef CLUSTER_OUTCOME_H
#define CLUSTER_OUTCOME_H

#include <stddef.h>
#include <stdint.h>

// Of the world at hand, in which nothing is left to happen.
uint64_t outcome_hash(void);

// The states of all nodes in words.
void outcome_tell(char *text, size_t room);

#endif
