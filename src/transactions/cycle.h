// A short circle of dependencies, the reason why there is no order.
#ifndef TRANSACTIONS_CYCLE_H
#define TRANSACTIONS_CYCLE_H

#include "transactions/dependency.h"

// From one transaction to the next, as an edge without helpers.
struct cycle_step {
    uint32_t from, to; // transactions
    enum dependency kind;
    uint32_t version, then, read;
    uint32_t choice; // one more than the number of the choice it follows from, or 0
};

struct cycle {
    struct cycle_step *steps; // the last one leads back to the first
    uint32_t count;           // 0: there is none
};

// Of the worst kind there is: first without reads, then with, then with reads of what was replaced, as few of these as can
// be; those that need an order of time or of a session last. Of that kind the shortest, as far as some effort finds it.
void cycle_find(struct cycle *cycle, const struct dependencies *d);

// Whether the graph has any circle, which is quicker.
bool cycle_exists(const struct dependencies *d);

// What a walk along edges leads through, without helpers: `edges` begin where they end.
void cycle_from_edges(struct cycle *cycle, const struct dependencies *d, const struct dependency_edge *edges,
                      uint32_t count);

// Adya's and Elle's name: G0, G1c, G-single, G2-item, with -realtime or -session if such an order is needed.
void cycle_name(const struct cycle *cycle, char *name, size_t room);

void cycle_free(struct cycle *cycle);

#endif
