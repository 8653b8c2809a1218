// What nodes draw: heddle_choose, and with --draws also rand. Every value is tried.
//
// A callback draws in the middle of an event, and the search decides before the event. So an event that draws has as many outcomes
// as there are ways through its draws. They are found by trying: the event runs with all draws 0, is taken back, and runs again with
// the last draw that has another value left, until there is none. The outcome with number n is the n-th of these ways. What was
// found is remembered for the state of the node and the entry, on which alone it depends.
//
// Nodes draw when they start, too. If draws are tried, starting is an event of each node: they start one after the other, before
// anything else happens.
//
// While the world settles, nothing is tried: nodes draw from their seeds. If all drew 0 there, those that wait a random time
// would wait for the same time for ever.
#ifndef NODES_DRAWS_H
#define NODES_DRAWS_H

#include <stdbool.h>
#include <stdint.h>

enum { MOST_OUTCOMES = 64, MOST_RAND = 16 };

// Whether the protocol draws anything that is tried.
bool draws_are_tried(void);

// How many outcomes the next event of the channel has.
uint32_t draws_outcomes(uint32_t channel);

// The event under way draws as its outcome says; until draws_end, which fails the execution if it drew something else.
void draws_begin(uint32_t channel, uint32_t outcome);
void draws_end(int node);

// Forgets everything.
void draws_open(void);
void draws_close(void);

// One of `n` values, as the outcome says or from the node's seed. `is_rand`: rand asks, and gets `rand_value` of it.
uint32_t draws_take(uint32_t n, bool is_rand);
long draws_rand_value(uint32_t number);

// The next random number of the node that is called, from its seed; and where these begin.
long draws_seeded(void);
void draws_seed(int node);

#endif
