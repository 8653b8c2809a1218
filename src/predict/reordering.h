// A run of the model in which some wishes hold: a path through the grid of two threads (grid.h), with what the other threads have to do
// for it. They run as late as possible: where a record needs them, or where they hold a lock that is wanted and can let it go. If that leads
// nowhere, they do before a lock is taken what its section needs of them.
//
// What is found is possible: every step is checked against the model. With more than two threads some that is possible is not
// found, since it would need another path, or others to run earlier.
#ifndef PREDICT_REORDERING_H
#define PREDICT_REORDERING_H

#include "predict/grid.h"

struct reordering {
    uint32_t start;    // records with lower numbers come first, as they were recorded
    uint32_t *records; // then these, in this order
    uint32_t count;
    size_t room;
    uint64_t points; // of grids that were searched for it, whether or not it was found
};

enum feasible {
    FEASIBLE_NO, // no run of the model fulfils the wishes
    FEASIBLE_YES,
    FEASIBLE_UNKNOWN, // none was found
};

// The reordering is made if the answer is yes, and is to be freed then.
enum feasible reordering_find(const struct model *m, const struct question *q, uint64_t points, struct reordering *w);

// Several threads that each come to a point, just in front of one of the records, at the same time; those of `order` run one after the
// other in this order. False: they do not get there that way.
bool reordering_meet(const struct model *m, const uint32_t *order, uint32_t count, struct reordering *w);

void reordering_free(struct reordering *w);

#endif
