// A search by states that processes of several machines share: each searches from the beginning in an order of its own, and says what
// it has closed. The set of closed states is divided among them: each state has a keeper, by its fingerprint. Whoever closes
// a state tells its keeper; whoever enters one asks its keeper, and goes on searching until an answer comes. What it has
// closed itself, and what it was told, it remembers, too, but only the keeper counts it.
//
// Why nothing is missed. That a state is closed is a statement about the program (closed_states.h), so it is true on every machine, and
// it does not matter how late it comes: a process that has entered a state meanwhile leaves it when it comes back there. No process
// takes a state for finished because another has it open, since nobody says which states are open.
//
// But a fingerprint must mean the same to whoever says it and whoever hears it. Processes of one machine agree on that in shared memory
// (commons.h) before they close anything. Here they do not wait for one another. Each statement names what belonged to states when
// it was made, by a digest, and counts only for whoever has the same. And each process reports what it has assumed: the numbers that
// it gave to objects and actors, in which sizes it saw objects accessed, and which actor it saw access a word first. It does so
// before it closes any state with that. When the first state of all is closed somewhere, somebody else (mpi/state_ranks.h) asks everybody for what
// is still under way and compares these reports. All that the closing of the first state rests on was said before, so it is among
// them. If a word turns out to be accessed by several actors, it becomes part of states everywhere and the search begins anew. If numbers
// differ, or if what processes found before they began to talk was not the same, nothing that was said is believed: one machine searches
// alone. So a wrong match may happen while the search is under way, but it never decides the verdict.
//
// That the search is over is said of one digest, when all have the same. One may learn more just then: that a word belongs to states
// which whoever closed states never left out. So it remembers what was closed at earlier ages, and takes in
// what is still said of them.
//
// How often a state was left, and in which way, is counted by its keeper, once. So `states` counts what one process would.
#ifndef EXPLORE_FAR_STATES_H
#define EXPLORE_FAR_STATES_H

#include "explore/states_search.h"

// Whether others take part by now.
static inline bool far_states_are_shared(const struct states *st)
{
    return st->options.exchange && st->options.exchange->begun;
}

// Whether somebody else keeps the state, and counts it.
bool far_states_are_kept_elsewhere(const struct states *st, struct fingerprint key);

// States mean something else from now on.
void far_states_note_age(struct states *st);

// A state was entered that is not known here: its keeper is asked, if that is somebody else.
void far_states_ask(struct states *st, struct fingerprint key);

// A state was closed here that was not known to be.
void far_states_tell(struct states *st, const struct state_entry *state, const struct open_state *open);

// Takes in what others have said. False if more belongs to states now: what comes after that waits until this was taken over.
bool far_states_listen(struct states *st);

// The first state of all is closed here: waits until everybody agrees that the search is over. False if it is not: more belongs
// to states, or somebody wants the search to stop.
bool far_states_agree(struct states *st);

#endif
