// Wished-for beginnings in a search by reads-from classes: what an execution shows that another could begin with (rf.c).
//
// A wish is made of events of the execution at hand, of which one or two happen otherwise. It is handed to the choice that it is
// below, as a plan, if that has not owed it before and there is an order in which it can be had.
#ifndef EXPLORE_RF_WISH_H
#define EXPLORE_RF_WISH_H

#include "explore/rf_path.h"
#include "explore/witness.h"
#include "model/target.h"

// An event that does something else in the wish than in the execution at hand.
struct rf_change {
    uint32_t actor, number; // number: exec.count if it is pending
    uint32_t source;        // an event, or NO_EVENT
    uint32_t alternative;
    uint8_t kind, doubt; // doubt: what is known of the step
    uint32_t object;
    bool looks, writes;
    uint32_t lanes[MAX_ACTORS];
};

struct rf_wish {
    uint32_t lanes[MAX_ACTORS]; // how many events of each actor it has
    struct rf_change change[2]; // each is the last of its actor
    uint32_t changes;
};

struct rf_wishes {
    struct target *target;
    struct exec *exec;
    struct rf_path *path;
    struct witness *witness;
    struct rf_step *steps;    // room for a plan
    uint32_t own[MAX_ACTORS]; // where the events of each actor begin in …
    uint32_t *numbers;        // … the numbers of all events
    uint32_t *places;         // by event: its place in the list of the witness
    struct fingerprint *sums; // of the first events of each actor (sum_of)
    uint32_t base;            // the execution at hand, once a plan has needed it (rf_path_keep)
    uint32_t root;            // the first events stay as they are
    bool too_long;            // whether some wish can be had is not known
    struct rf_wish wish;
};

static inline uint32_t rf_source(const struct exec *x, uint32_t event)
{
    const struct event *e = &x->events[event];
    return exec_is_on_object(e) ? exec_source(e) : NO_EVENT;
}

static inline bool rf_changes(const struct event *e)
{
    return exec_is_on_object(e) && e->effect != EFFECT_READ;
}

// It may have looked only because of what was there.
static inline bool rf_could_change(const struct event *e)
{
    return exec_is_on_object(e) && op_table[e->kind].at_most != EFFECT_READ;
}

void rf_wishes_init(struct rf_wishes *w, struct target *target, struct rf_path *path, uint32_t root);
void rf_wishes_free(struct rf_wishes *w);

// What event would have done, had it looked at what event `like` looked at.
enum foresight rf_foresee(struct target *target, uint32_t event, uint32_t like);

// Before wishes are made of the execution at hand, and when all have been.
void rf_wishes_begin(struct rf_wishes *w);
void rf_wishes_end(struct rf_wishes *w);

// A new wish: the events that are fixed before the choice …
void rf_wish_begin(struct rf_wishes *w, uint32_t choice);

// … with all that this clock knows …
void rf_wish_clock(struct rf_wishes *w, clock_id clock);

// … and this event, or pending operation if its number is exec.count, which happens otherwise. It knows what it knew before; the
// caller says what its source is.
struct rf_change *rf_wish_change(struct rf_wishes *w, uint32_t number, uint32_t actor);

// Of the events that the wish has as they are, the newest that changed the object; NO_EVENT if there is none.
uint32_t rf_wish_last_change(const struct rf_wishes *w, uint32_t object);

// The choice owes the wish, if it is new to it and can be had. `in_order`: it can be had by leaving out events of the execution at
// hand, with those that happen otherwise at the end.
void rf_wish_ask(struct rf_wishes *w, uint32_t choice, bool in_order);

#endif
