// What processes have to know of one another that share a search by states (explore/closed_states.h). They are forked from one that has
// searched alone for a while, so that what it knew then all of them know, and addresses are the same in all.
//
// Fingerprints of states have to mean the same everywhere, and what the engine learns from many executions it has to learn from those of
// all. So this is in memory that they share:
// - the numbers of objects and threads, which are given out in the order in which they are first seen; and the sizes of atomic
//   accesses, since some may overlap;
// - of each word that is new, which thread accessed it, and whether it wrote: both decide when it becomes part of states (accessed.h). What becomes part of
//   states is a list that only grows. A process takes over all that is new between two executions, before it closes any state, and
//   begins anew. The length of the list up to which it did is the *age* of its states, so states of one age mean the same everywhere;
// - where main's joins go on (join_runs.h) and the first content of threads' arguments (arguments.h), which must not differ.
//
// Each is asked when a process comes to something for the first time, which is rare; so one lock will do.
#ifndef TARGET_COMMONS_H
#define TARGET_COMMONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/fingerprint.h"
#include "model/state_exchange.h"

struct cell;

// Where main goes on from a place where it waits to join a thread, as far as it is known.
struct stop_fact {
    struct fingerprint key, next;
    uint32_t target;
    bool continues, ends, asks, first;
};

// From now on there are others: called before the first is forked. False if there is no memory for it.
bool commons_open(void);
bool commons_are_open(void);

// Processes of other machines take part as well (explore/far_states.h): they are told of whatever is found here for the first time.
void commons_tell(struct state_exchange *exchange);

// One of them has found that this belongs to states: an address, or COMMONS_STRAYED. And what has been taken over since there are
// others, in short, whatever the order.
enum { COMMONS_STRAYED = 1 };
bool commons_hear(uint64_t what); // whether that is news
uint64_t commons_digest(void);

// A child of this process has ended, wherever it was.
void commons_bury(pid_t process);

// Numbers of objects by address; and whether another process accessed something else that overlaps with it.
uint32_t commons_place(uint64_t address);
bool commons_overlap(uint64_t address, uint32_t size);

// How a word is used: by which actor (plus 1; 0: it is not known by whom first), by others as well, and not only to be read.
struct word_use {
    uint32_t owner;
    bool met, written;
};
// This process has found that a word is used in this way, and takes over what others have found. `known`: it had known something of the
// word before. True if the word becomes part of states by that, and somebody may have left it out.
bool commons_see(struct cell *cell, struct word_use *use, bool known);

// All accesses to arguments become part of states; or they begin anew only.
void commons_stray(void);
void commons_begin_anew(void);

// More belongs to states while there are no others.
void commons_grow_alone(void);

// Takes over what has become part of states. False if there was nothing new. And how old states are now.
bool commons_take_over(void);
uint32_t commons_age(void);

// False if somebody has found something else.
bool commons_agree_on_stop(const struct stop_fact *fact);
bool commons_agree_on_element(uint32_t actor, struct fingerprint content);

uint32_t commons_stops(void);
const struct stop_fact *commons_stop(uint32_t number);

#endif
