// Processes that search states together (explore/closed_states.h, target/threads/engine/commons.h): the worker that the supervisor has
// started, and helpers that it forks when it has searched alone for a while. What is small it does alone, and most of what a search
// learns about the program it learns in its first executions.
//
// To the supervisor there is one worker. Each helper has an answer of its own, which the worker adds to its own when the helper ends. A
// helper that ends in a way that ends the search makes the worker end like that, and one that dies of the program makes it die
// of the same with the schedule that the helper was at. If one is killed from outside nothing that it closed is believed any
// more, since nobody knows what it had seen: the search begins anew, and another helper takes its place.
#ifndef WORKER_HELPERS_H
#define WORKER_HELPERS_H

#include "worker/searching.h"

struct closed_states;
struct state_exchange;

// Processes on other machines take part as well, in searches by states (explore/far_states.h). Null: none do. Before the first search.
void helpers_talk(struct state_exchange *exchange);

// With whom; and a moment in which there is nothing to do but to listen to them: false if the search is to stop.
struct state_exchange *helpers_exchange(void);
bool helpers_pause(struct worker *w);

// What the helpers would share, if the task asks for any; null: there will be none.
struct closed_states *helpers_prepare(struct worker *w, enum strategy_kind strategy);

// Between two executions: forks helpers if it is time. Says in each of them which it is, from 1 on; otherwise 0.
uint32_t helpers_spread(struct worker *w);

// What belongs to states has grown: what was counted so far is not counted again.
void helpers_note_growth(struct worker *w);

// An execution has ended, and the search goes on. False if a helper has come to what ends it.
bool helpers_go_on(struct worker *w);

// The search has ended here: lets the helpers end as well, and adds up.
void helpers_end(struct worker *w, enum search_end *end);

// Adds what they noticed to what this worker has.
void helpers_conclude(struct worker *w);

#endif
