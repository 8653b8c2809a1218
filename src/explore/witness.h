// Whether events can be put in an order in which each read sees the write that it is to see, and such an order.
//
// In general that takes exponential time (Gibbons and Korach, 1997), so this is a search. It is short because of three rules:
// - What has been done determines what may follow: a write may not be overwritten while somebody has yet to look at it, so of the
//   values of an object only the last matters. A set of done events from which there is no way on is kept and not tried again.
// - A read that can be done, or a write that nobody is to look at, or that is the last of its object, takes nothing away from
//   others. It is done without an alternative.
// - Events are tried in the order of a run that had nearly the same ones.
#ifndef EXPLORE_WITNESS_H
#define EXPLORE_WITNESS_H

#include <stdbool.h>
#include <stdint.h>

enum { WITNESS_INITIAL = 0, WITNESS_BLIND = UINT32_MAX };

struct witness_event {
    uint32_t actor;
    uint32_t object;       // only events that look or write have one
    uint32_t source;       // the event that it looks at, by its place in the list plus 1; or one of the two above
    uint32_t guide;        // unlike that of all others: those with small ones are tried first
    const uint32_t *lanes; // so many events of each actor have to come before it, its own not counted
    bool writes;
};

enum witness_answer { WITNESS_NONE, WITNESS_FOUND, WITNESS_TOO_LONG };

struct witness;

struct witness *witness_new(uint32_t events, uint32_t objects);
void witness_free(struct witness *w);

// Room for the events that are asked about. Those of one actor stand one behind the other, in their order; those of lower-numbered
// actors first.
struct witness_event *witness_list(struct witness *w);

// `lanes` says how many events each of the `actors` has. The first `roots` events have to be these. The order, if there is one, is
// in witness_order: places in the list.
enum witness_answer witness_find(struct witness *w, const uint32_t *lanes, uint32_t actors, const uint32_t *root,
                                 uint32_t roots);
const uint32_t *witness_order(const struct witness *w);

#endif
