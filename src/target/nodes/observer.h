// Watching a cluster: the protocol's observer, whose memory belongs to no node and survives crashes, and the goals that executions
// should reach, so that nodes which never did anything are not called verified.
#ifndef NODES_OBSERVER_H
#define NODES_OBSERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Makes room for the observer's memory, zeroed, and for the goals that the protocol declares. Null, or a sentence about what
// is wrong with them.
const char *observer_open(void);
void observer_close(void);

// Lets the observer look at an event of this node (-1: all have booted). What it finds wrong is the world's failure.
void observer_look(int node);

// Of the observer's memory, which is part of the state. 0 if there is none.
uint64_t observer_hash(void);

uint64_t observer_hash_renamed(const int *to); // with other numbers of nodes

// The memory itself; of no bytes if there is none.
const void *observer_memory(size_t *size);

// Gives its memory the nodes' other numbers.
void observer_rename(const int *to);

// Whether nodes may change places: there is no observer, or it can be told.
bool observer_can_rename(void);

// The goals: those that are declared, in that order, then others that were reached.
uint32_t goal_count(void);
const char *goal_name(uint32_t goal);
uint64_t goal_times(uint32_t goal); // events at which it was reached

// Counts more of them, which another process reached; and forgets how often they were reached here.
void goal_add(const char *goal, uint64_t times);
void goal_clear(void);

// The first declared one that was never reached, or null.
const char *goal_missed(void);

#endif
