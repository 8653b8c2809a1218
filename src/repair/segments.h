// Which parts of the calls of one execution would have to be atomic for it to be impossible (seed 001, §2.3).
//
// Nodes are events; edges say what happened before what, apart from the order within each actor. With some runs of events
// taken as one node each, a circle means that no equivalent execution has these runs in one piece (Theorem 3).
//
// The graph is the search's own happens-before, of which only the edges that others do not imply are written; the
// wishes of worker/orders.c are edges too. tests/fuzz/fuzz_model.c checks Theorem 3: what `atomic` finds with random
// blocks has to be what `dpor` finds and segments_circle does not forbid.
#ifndef REPAIR_SEGMENTS_H
#define REPAIR_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SEGMENT_ACTORS = 16, SEGMENT_NO_CALL = UINT16_MAX };

struct segment_event {
    uint16_t actor; // below SEGMENT_ACTORS
    uint16_t call;  // unlike for different calls of one actor; SEGMENT_NO_CALL: of none
};

struct segment_edge {
    uint32_t from, to; // numbers of events, of different actors
};

struct segment_run {
    const struct segment_event *event; // in the order in which they happened
    uint32_t events;
    const struct segment_edge *edge;
    uint32_t edges;
};

// Events of one actor and one call, from the first to the last.
struct segment {
    uint32_t first, last;
};

struct segment_set {
    uint32_t count;
    struct segment segment[SEGMENT_ACTORS];
};

struct segment_sets {
    struct segment_set *set;
    size_t count, room;
    bool all; // false: the search was given up, there may be more
};

// All sets of segments that make the execution impossible and do not contain another such set. Free with segments_free.
void segments_find(const struct segment_run *run, struct segment_sets *sets);
void segments_free(struct segment_sets *sets);

// Whether there is a circle if events with the same number in `node`, that of one of them, are one.
bool segments_circle(const struct segment_run *run, const uint32_t *node);

#endif
