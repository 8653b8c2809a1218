// The runs that a recording allows: all orders of its records that keep the order of order.h and in which no two sections of one lock
// are under way at the same time (sections.h), and the beginnings of such runs. What is read is not looked at: a program may do
// something else in another order. That is why predictions are confirmed by running them (confirm.h).
#ifndef PREDICT_MODEL_H
#define PREDICT_MODEL_H

#include "predict/order.h"
#include "predict/sections.h"

// The positions of a thread's records that synchronise: all others change nothing for anybody else.
struct marks {
    uint32_t *at; // ascending
    uint32_t count;
};

enum { MODEL_MARGIN = 16 };

struct model {
    const struct recording *r;
    struct order order;
    struct sections sections;
    struct marks *marks; // by thread
    uint32_t margin;     // marks on either side of what is asked for that are searched at first (grid.h)
};

void model_make(struct model *m, const struct recording *r);
void model_free(struct model *m);

// How many records of the thread have a lower number than `record`.
uint32_t model_done_before(const struct model *m, uint32_t thread, uint32_t record);

// The number of the first mark at this position or behind it.
uint32_t model_mark_from(const struct marks *marks, uint32_t position);

// Record `before` is to come before record `after`.
struct wish {
    uint32_t before, after;
};

enum { MOST_WISHES = 4 };

// Whether two threads can run so that all wishes hold and their records are done; or so that both come to a point, just in front of
// `meet`, at the same time.
struct question {
    uint32_t threads[2];
    struct wish wishes[MOST_WISHES];
    uint32_t wish_count;
    uint32_t meet[2]; // a record of each thread, if there are no wishes
};

#endif
