// A whole history: taken apart into objects and keys that have nothing to do with each other, each judged by the quickest
// way that is exact.
//
// It also blurs times for quiescent consistency, and does Line-Up's check of stuck histories.
#ifndef HISTORY_JUDGE_H
#define HISTORY_JUDGE_H

#include "history/linearize.h"

struct judge_options {
    enum judgement judgement;
    uint64_t may_fail;
    bool stuck;           // each operation that never returned has to be one that waits, as in Line-Up (PLDI 2010)
    bool search_only;     // no shortcuts for values that are written once
    uint64_t max_visited; // for each part
    double deadline;
};

struct part_verdict {
    enum verdict verdict;
    bool searched;        // not decided by a shortcut
    uint64_t visited;     // places of the search
    uint32_t deepest;     // operations of the longest order that was tried
    const char *reason;   // of unknown: what ran out
    uint32_t unjustified; // with `stuck`: the operation that need not have waited; else UINT32_MAX
};

// The operations of one object, or of one key of it. Times are positions in the order of the object's events, blurred
// for JUDGE_QUIESCENT, so that the rest can be judged as linearizability.
struct judged_part {
    int64_t object, key; // VALUE_NIL if there is only one
    struct operation *ops;
    uint32_t *origin; // of each operation: its number in the whole history
    uint32_t count;
    struct part_verdict verdict;
    struct lin_step *order; // if wanted and found
    uint32_t order_count;
};

struct judged {
    struct judged_part *parts;
    uint32_t count;
    bool keyed; // parts are keys of one object
    enum verdict verdict;
    const struct spec *spec;
    struct judge_options options;
};

// Takes the history apart. Copies what it needs.
void judge_begin(struct judged *judged, const struct spec *spec, const struct operation *ops, uint32_t count,
                 const struct judge_options *options);

// Judges every part; with `orders` keeps an order of each, if the search finds one.
void judge_all(struct judged *judged, struct linearizer *z, bool orders);

// One part, or some of its operations. `order` in z is set if the verdict is yes and it was searched.
struct part_verdict judge_part(struct linearizer *z, const struct spec *spec, const struct operation *ops,
                               uint32_t count, const struct judge_options *options);

// The wrong part with the fewest operations, whose reason will be shortest; null if none is wrong.
const struct judged_part *judge_shortest_wrong(const struct judged *judged);

void judge_free(struct judged *judged);

#endif
