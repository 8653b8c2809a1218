// What the files of the search by states share; its argument is at the head of states.c.
#ifndef EXPLORE_STATES_SEARCH_H
#define EXPLORE_STATES_SEARCH_H

#include "explore/closed_states.h"
#include "explore/futures.h"
#include "explore/op_graph.h"
#include "explore/state_audit.h"
#include "explore/state_table.h"
#include "explore/strategy.h"
#include "model/state_exchange.h"

enum { STATES_WORDS = MAX_ACTORS / 64 };

enum { MOST_SHOWN = 1000 }; // components without an end

enum { FAR_AGES = 256 }; // that are remembered

enum reduction { ALL_ACTORS, WITHOUT_EFFECT, BY_FUTURE, BY_GRAPH };

// A state on the current path, and what has been found below it so far.
struct level {
    struct fingerprint key;
    uint16_t actor, alternative; // under way
    bool passed;     // only one actor can run: the state is not kept, since nothing is to be tried there a second time
    bool whole;      // every actor that can run is to be tried
    bool ends;       // something below is an end
    bool leads_on;   // … or has been shown to have none
    uint32_t forced; // how many states with one actor that can run stand in a row here, with this one
    uint32_t order;  // of open states
    uint32_t low;    // the lowest order of an open state that was come back to
    uint32_t future;
    uint16_t likes[MAX_ACTORS]; // for each actor the lowest that it is exactly like (strategy_options.likes)
    struct state_tally tally;
    double stands_for;
    uint64_t tried[STATES_WORDS], rivals[STATES_WORDS],
        needed[STATES_WORDS]; // rivals: of the actor under way; needed: of those before it
};

// What became of the newest state on the path: it is left behind, or was never entered.
struct left {
    bool open;    // the search may come back from it to an open state, …
    uint32_t low; // … of this order
    bool ends, leads_on;
    uint32_t future;
};

// How it is shown that threads go round for ever: an execution in which everybody takes turns, from a state of the component on.
struct show {
    bool wanted, under_way;
    uint32_t from;             // the level of that state
    struct fingerprint *state; // those of the execution, from there on
};

// A state whose component is not complete. What was counted there is complete once the state is left.
struct open_state {
    struct fingerprint key;
    struct state_tally tally;
    double stands_for;
};

struct states {
    struct strategy s;
    struct strategy_options options;
    enum reduction reduction;
    struct level *levels;
    uint32_t length; // levels that are planned
    struct left left;
    struct show show;
    uint32_t shown; // components
    struct state_table table;
    struct futures *futures;
    struct op_graph *graph;
    struct state_audit *audit;  // or null
    struct fingerprint reached; // the state that the execution at hand ended in, if it was known
    bool to_be_audited;
    struct open_state *open; // by their order
    uint32_t open_count;
    // Of a search that others take part in:
    uint32_t who, age;    // its number among them, and how much belongs to states
    uint64_t digest;      // the same, for those on other machines
    uint32_t actors_told; // to them
    struct {
        uint64_t digest;
        uint32_t age;
    } ages[FAR_AGES];                  // what belonged to states at each age, the newest ones …
    uint32_t age_count;                // … of so many
    struct state_tally before;         // what was counted before the first state that is kept
    uint64_t blocked, finished, known; // executions so far
};

static inline bool states_have(const uint64_t *set, uint32_t actor)
{
    return set[actor / 64] >> (actor % 64) & 1;
}

// ---- states_choice.c: whom to try ----

// For whom an operation stands, and for which object, wherever the state is come to.
void states_generalise(const struct states *st, uint32_t *actor, uint32_t *object);

// Adds the actors of a kin, but for one, to a set. `left`: also those that have come to their end by now.
void states_add_kin(const struct states *st, uint64_t *set, uint32_t kin, uint32_t but, bool left);

// What every actor is about to do.
uint32_t states_pending(struct states *st);

int states_first_choice(struct states *st);

// Somebody who can run, is to be tried and was not; -1 if there is nobody. Sets `whole` if somebody is needed who cannot run.
int states_next_choice(struct states *st, struct level *level);

// The present state was come to: what is pending there can follow the newest event; if it was known, so can whatever can follow that.
void states_ask_for_pending(struct states *st, bool known);

// ---- states_close.c: leaving states, and what was counted there ----

void states_add_tally(struct state_tally *sum, const struct state_tally *more);

// Where what the states at this level and below counted belongs that are not kept.
struct state_tally *states_tally_above(struct states *st, uint32_t at);

// An execution has ended after so many events: how.
void states_count_end(struct states *st, uint32_t events);

// Whether another worker has closed the state in the meantime. Then it is left.
bool states_was_closed_elsewhere(struct states *st, struct level *level);

// Everything has been tried from the state that was to be tried.
void states_leave(struct states *st, const struct level *level);

#endif
