// States that are closed, for workers that share a search by states: a set in memory that all of them map.
//
// Each worker searches from the beginning, in an order of its own, and keeps to itself which states it has open. What it shares is what it
// has closed. That a state is closed is a statement about the program, not about a search: whatever can be done from there, somebody
// has seen what it leads to, up to the order of independent steps, and every operation that can follow is in the state's future.
// A worker makes this statement when it leaves the state for good, by what it tried itself and by statements that others made before
// (states.c has the argument; it needs nothing but that what is said of closed states is true). So there is no circle in the reasoning,
// whoever comes first; and a cycle in the graph lies within the open states of the worker that closes them.
// A state that another worker has open says nothing. Whoever comes there enters it as well. That costs little: a worker has as many
// states open as its path is long, and below a state that two have entered, each finds what the other has closed.
// When any worker has closed the first state of all, the search is over. Nothing is lost with a worker that is killed.
//
// A state belongs to an *age*: how much is part of states may grow, and states of different ages are not compared.
//
// The set is a list of tables, each four times as large as the one before, with open addressing. Nothing is moved or taken out. A
// place is claimed by writing the first word of the state's name there, and counts from when its mark is written, which is last. If
// whoever claimed it does not go on, another that closes the same state does.
#ifndef EXPLORE_CLOSED_STATES_H
#define EXPLORE_CLOSED_STATES_H

#include <stdbool.h>
#include <stdint.h>

#include "explore/futures.h"
#include "explore/state_table.h"

// What a search counts that enters each state once, as far as it is due to one state: the steps that were tried there, up to the next
// state that is kept, and what they led to.
struct state_tally {
    uint32_t executions; // begun there
    uint32_t events;
    uint16_t known, blocked, finished; // executions that ended in a known state, waiting, and otherwise
    uint16_t elsewhere;                // it is counted by somebody on another machine
};

struct closed_totals {
    uint64_t states, executions, events, known, blocked, finished;
};

struct closed_states;

// Memory for about so many bytes; 0: as much as there is. Null if there is none. To be made before any of those who share it is forked.
struct closed_states *closed_states_new(uint64_t bytes);

// What is known of the state: false if it is not closed.
bool closed_states_find(struct closed_states *c, struct fingerprint key, uint32_t age, struct futures *futures,
                        struct state_entry *found);

// Closes a state. True if nobody had; and if there is no room for it, which `dropped` counts.
bool closed_states_add(struct closed_states *c, const struct state_entry *state, uint32_t age, struct futures *futures,
                       const struct state_tally *tally);

// The first state of all is closed, with what was counted before it (null: others count that); and whether it is.
void closed_states_finish(struct closed_states *c, uint32_t age, const struct state_tally *before);
bool closed_states_is_finished(const struct closed_states *c, uint32_t age);

// Of which age that was said.
uint32_t closed_states_age(const struct closed_states *c);

// Of the states of this age; `own`: without those that are counted elsewhere.
struct closed_totals closed_states_totals(const struct closed_states *c, uint32_t age, bool own);

// The set of all states that are closed, of any age, in short.
struct fingerprint closed_states_digest(const struct closed_states *c);
uint64_t closed_states_count(const struct closed_states *c);
uint64_t closed_states_dropped(const struct closed_states *c);
uint64_t closed_states_bytes(const struct closed_states *c);

#endif
