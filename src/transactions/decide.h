// The question about transactions, and the answer with its proof: an order that was run, or an anomaly, a circle, or choices
// that all end in circles.
//
// The order of the work: transaction_input.c reads the file; versions.c finds the versions, and everything that is
// wrong without a look at any order; dependency.c makes a graph; cycle.c looks for a short circle of the worst kind,
// and if there is one the answer is no; deadline_order.c looks for an order without looking at pairs of writes; choices.c
// makes the choices that are left; order_replay.c runs the order, from the accesses of the file alone. The strictest level is
// tried first, since its order suits all levels. No order is believed that was not run: a mistake in the steps before stops
// heddle instead of becoming a yes.
#ifndef TRANSACTIONS_DECIDE_H
#define TRANSACTIONS_DECIDE_H

#include "history/linearize.h"
#include "transactions/choices.h"
#include "transactions/order_replay.h"

struct decision {
    const struct transactions *from;
    const struct level *level;
    enum verdict verdict;

    // yes
    struct replay_step *order;
    uint32_t order_count;

    // no: the first of these that is not empty
    struct versions versions; // with an anomaly
    struct cycle cycle;
    struct choices choices;
    struct dependencies dependencies;

    const char *reason; // unknown: what ran out, or what nobody can tell
};

struct decide_limits {
    struct choices_limits choices;
    bool no_schedule; // choices are made one by one, also where a schedule would do. For comparing
};

void decide(struct decision *decision, const struct transactions *from, const struct level *level,
            const struct decide_limits *limits);

void decision_free(struct decision *decision);

#endif
