// Renumbering nodes: whether two states are the same except for which node is which.
//
// A protocol says which nodes may change places and how the numbers of nodes that it stores change then (struct
// heddle_renaming). A renaming carries everything along: memory, disks, reports, what is in flight, timers, faults that
// were chosen. It applies if every request that is still to come is for a node that stays.
#ifndef NODES_RENAMING_H
#define NODES_RENAMING_H

#include "target/nodes/world.h"

enum { MOST_RENAMINGS = 120 };

// The renamings that the protocol allows, without the identity; at most MOST_RENAMINGS of them. Each is an array that
// says what a node's number becomes.
uint32_t renaming_all(int to[][MAX_NODES]);

// Whether it applies in the state at hand.
bool renaming_applies(const int *to);

// Renames the world, outside an execution; undone by world_back. False if a callback failed.
bool renaming_do(const int *to);

// The hash of the renamed world; `which` is a number of the renaming. What nodes become is remembered: mostly nothing is called. False: it
// does not apply, or a callback failed.
bool renaming_hash(const int *to, uint32_t which, uint64_t *hash);

// Forgets what nodes become, as another world needs.
void renaming_forget(void);

uint32_t renaming_channel(const int *to, uint32_t channel);

// The least hash of all renamings of the state at hand: the same for states that differ in numbers only.
uint64_t renaming_canonical(void);

#endif
