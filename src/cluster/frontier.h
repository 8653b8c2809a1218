// Where a search can continue: states at which something is left to try, each with the path that leads to it.
#ifndef CLUSTER_FRONTIER_H
#define CLUSTER_FRONTIER_H

#include "cluster/actor_set.h"
#include "model/step.h"

// A state of which something is left to try.
struct level {
    uint32_t point, depth;                // the way there and its length
    uint16_t rank;                        // circles.h
    uint32_t view;                        // what nodes report there: a number for it
    uint16_t actor;                       // whose outcomes are being tried; if it chooses, the only one
    uint64_t outcomes;                    // of that actor, not tried yet: a bit each
    uint8_t forced;                       // states with one way on since the last one that was kept
    bool chooses, begun;                  // begun: `actor` says something
    bool marked;                          // a policy that only looks on would not have come here …
    bool marks_actor;                     // … or not let the actor go on
    struct actor_set untried;             // not tried yet
    struct actor_set sleep, marked_sleep; // on arrival, and those that have been tried
};

struct frontier {
    struct point *points; // every way is a path in this tree to its root, point 0
    uint32_t count, room;
    uint32_t crowded;   // so many points are worth looking which of them are needed
    struct level *open; // those that are left, from `first` on; the one at work is the last, or the first
    uint32_t first, open_count, open_room;
};

static inline uint32_t frontier_left(const struct frontier *f)
{
    return f->open_count - f->first;
}

size_t frontier_bytes(const struct frontier *frontier);

void frontier_open(struct frontier *frontier);
void frontier_close(struct frontier *frontier);

// The point that a step leads to.
uint32_t frontier_extend(struct frontier *frontier, uint32_t point, struct step step);

// Forgets the points behind this one: nothing that is open lies there.
void frontier_cut(struct frontier *frontier, uint32_t point);

// Forgets the points that lead to nothing open, once there are many; `way` are those of the execution at hand, which stay and
// may get other numbers.
void frontier_tidy(struct frontier *frontier, uint32_t *way, uint32_t depth);

// Writes the points of the way to a point of this depth: way[0] is the root, way[depth] the point.
void frontier_way(const struct frontier *frontier, uint32_t point, uint32_t depth, uint32_t *way);
struct step frontier_step(const struct frontier *frontier, uint32_t point);

void frontier_push(struct frontier *frontier, const struct level *level);

// Brings an open level to the end, where it will be worked at.
struct level *frontier_take(struct frontier *frontier, uint32_t index);
void frontier_drop(struct frontier *frontier); // the last one

// Drops the one that has been open for longest, in a search that works at the last.
void frontier_shift(struct frontier *frontier);

// The one that has been open for longest, and its end. Not to be mixed with the others.
struct level *frontier_first(struct frontier *frontier);
void frontier_drop_first(struct frontier *frontier);

#endif
