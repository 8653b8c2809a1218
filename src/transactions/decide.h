// The question about transactions, and the answer with its proof: an order that was run, or an anomaly, a circle, or choices
// that all end in circles.
#ifndef TRANSACTIONS_DECIDE_H
#define TRANSACTIONS_DECIDE_H

#include "lin/linearize.h"
#include "transactions/choices.h"
#include "transactions/replay.h"

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
