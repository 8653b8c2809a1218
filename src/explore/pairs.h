// Which reads saw which writes: the coverage by which sampled executions are compared, as in RFF (Wolff, Shi, Duck, Mathur,
// Roychoudhury, Greybox fuzzing for concurrency testing, ASPLOS 2024).
//
// An operation is known by its *spot*: its kind, its object and where it stands in the program, whoever executes it. A
// hundred threads that run the same code have the spots of one. A *pair* is the spot of an operation that looks at its
// object and the spot of the last one that had changed it, or NOBODY. Taking a lock looks who had it last.
#ifndef EXPLORE_PAIRS_H
#define EXPLORE_PAIRS_H

#include "model/target.h"

enum { NOBODY = 0, MOST_SPOTS = 1 << 14 };

struct spot {
    uint32_t object;
    uint8_t kind;
    bool looks, changes; // can do so
    uint32_t other;      // the next spot on the same object, or NOBODY
    uint64_t code;
};

struct pairs;

struct pairs *pairs_new(struct target *target);
void pairs_free(struct pairs *p);

// Brings it up to date with the execution, which may have grown or been cut, but not both, since the last time.
void pairs_follow(struct pairs *p);

// The number of the spot at which a parked actor stands. NOBODY if its operation has no object, or there are too many.
uint32_t pairs_pending(struct pairs *p, uint32_t actor);

// The actor is about to take a step. Has to be said of each.
void pairs_step(struct pairs *p, uint32_t actor);

// The spot that changed the object last in the execution at hand, or NOBODY.
uint32_t pairs_last_change(const struct pairs *p, uint32_t object);

// How many things were new in the execution at hand, of which all was followed: pairs, pairs that one actor had one after the
// other, how often it had them. `newest`: at which event the last of them was seen.
uint32_t pairs_news(const struct pairs *p);
uint32_t pairs_newest(const struct pairs *p);

// The execution has ended: what comes is of the next one.
void pairs_end(struct pairs *p);

// Whether such a pair was ever seen.
bool pairs_covers(const struct pairs *p, uint32_t change, uint32_t look);

// Whether some actor ever had the second pair right after the first.
bool pairs_covers_both(const struct pairs *p, uint32_t change, uint32_t look, uint32_t next_change, uint32_t next_look);

// Spots at which some actor looked one right after the other: numbered from 0 to less than this.
uint32_t pairs_successions(const struct pairs *p);
void pairs_succession(const struct pairs *p, uint32_t number, uint32_t *look, uint32_t *next_look);

// Spots are numbered from 1 to this.
uint32_t pairs_spots(const struct pairs *p);
uint32_t pairs_first_spot(const struct pairs *p, uint32_t object); // on the object, or NOBODY
const struct spot *pairs_spot(const struct pairs *p, uint32_t number);

// Of all pairs that were seen: how many, and how many in one execution only, and in two.
struct pairs_count {
    uint64_t all, once, twice;
    bool full; // some found no room
};
struct pairs_count pairs_count(const struct pairs *p);

#endif
