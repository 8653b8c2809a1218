// Histories judged by trying every order, with models of their own: slow, and simple enough to be believed.
#ifndef FUZZ_HISTORY_NAIVE_H
#define FUZZ_HISTORY_NAIVE_H

#include "history/judge.h"

enum model { M_REGISTER, M_SET, M_QUEUE, M_STACK, M_MAP, M_COUNTER, M_MUTEX, M_BAG, MODELS };

enum { NAIVE_OPS = 12 };

struct naive_state {
    int64_t word[2 * NAIVE_OPS + 2];
    int count;
};

struct naive {
    enum model model;
    const struct operation *ops;
    int count;
    enum judgement judgement;
    uint64_t may_fail;
};

// The checker's specification of a model. A bag (put, get) gives out anything that is in it, or nil.
const struct spec *naive_spec(enum model model);

// The same as a model of a user's, of which nothing is known but what it answers.
const struct spec *naive_own_spec(enum model model);

void naive_init(enum model model, struct naive_state *s);

// The nth outcome of the call; false if there are not that many.
bool naive_step(enum model model, struct naive_state *s, const struct operation *op, int nth, int64_t *result);

// Whether a has to come before b.
bool naive_before(const struct naive *n, int a, int b);

// Whether some order is right.
bool naive_judge(const struct naive *n);

// The same as Line-Up has it for histories that are stuck.
bool naive_judge_stuck(const struct naive *n);

// Whether these steps are such an order.
bool naive_order_fits(const struct naive *n, const struct lin_step *order, uint32_t count);

// Every combination of results, each as often as it comes up.
void naive_outcomes(const struct naive *n, void (*found)(void *context, const int64_t *results), void *context);

#endif
