#include "transactions/decide.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "transactions/deadline_order.h"

// The order of the nodes as steps, without helpers and without what does not take part.
static void keep_order(struct decision *x, const uint32_t *nodes)
{
    const struct dependencies *d = &x->dependencies;
    free(x->order);
    x->order = alloc_ended(d->nodes, sizeof *x->order);
    x->order_count = 0;
    for (uint32_t i = 0; i < d->nodes; i++) {
        uint32_t t = transaction_of_node(d, nodes[i]);
        if (t == NO_TRANSACTION || !x->versions.takes_part[t])
            continue;
        bool start = !d->split || nodes[i] == node_of_start(d, t);
        x->order[x->order_count++] = (struct replay_step){t, start, !d->split || !start};
    }
}

static bool order_fits(struct decision *x, const uint32_t *nodes)
{
    keep_order(x, nodes);
    return replay_fits(x->from, x->level, x->order, x->order_count);
}

// Reads whose writer is not known are not in the graph, so an order may be wrong there.
static bool schedule(struct decision *x, const int64_t *deadline)
{
    uint32_t *nodes = alloc_ended(x->dependencies.nodes, sizeof *nodes);
    bool found = schedule_find(&x->dependencies, deadline, nodes), fits = found && order_fits(x, nodes);
    require(fits || !found || x->versions.unclear || x->level->isolation == READ_COMMITTED);
    free(nodes);
    return fits;
}

// An order of a stricter level, if it does.
static bool take_stricter(struct decision *x, const struct level *level, const struct decide_limits *limits)
{
    struct decision stricter;
    decide(&stricter, x->from, level, limits);
    bool fits = stricter.verdict == VERDICT_YES && replay_fits(x->from, x->level, stricter.order, stricter.order_count);
    if (fits) {
        free(x->order);
        x->order = stricter.order;
        x->order_count = stricter.order_count;
        stricter.order = NULL;
    }
    decision_free(&stricter);
    return fits;
}

// Most databases do more than they promise. An order that respects time, and in which each transaction runs alone, suits all levels,
// and is easier to find: times leave few choices open. Where some reads are late, writes may still be in time.
static bool decide_strictly(struct decision *x, const struct decide_limits *limits)
{
    static const struct level strict = {"strict-serializable", "", SERIALIZABLE, TIME_ORDER};
    const struct level in_time = {"", "", x->level->isolation, WRITES_BY_TIME};
    if (x->level->order >= TIME_ORDER)
        return x->level->isolation == SNAPSHOT_ISOLATION && x->level->order == TIME_ORDER &&
               take_stricter(x, &strict, limits);
    return take_stricter(x, &strict, limits) ||
           (x->from->model == MODEL_REGISTERS && take_stricter(x, &in_time, limits));
}

static enum verdict choose(struct decision *x, const int64_t *deadline, const struct choices_limits *limits)
{
    enum choices_answer answer = choices_make(&x->choices, &x->dependencies, deadline, limits);
    if (answer == CHOICES_NONE)
        return VERDICT_NO;
    if (answer == CHOICES_MADE && order_fits(x, x->choices.order.node_at))
        return VERDICT_YES;
    // What was left out of the graph is all that can be wrong with an order.
    require(answer == CHOICES_UNKNOWN || x->versions.unclear || x->choices.too_many);
    x->reason = answer == CHOICES_UNKNOWN ? x->choices.reason : x->versions.unclear ? "values" : "choices";
    return VERDICT_UNKNOWN;
}

void decide(struct decision *x, const struct transactions *from, const struct level *level,
            const struct decide_limits *limits)
{
    *x = (struct decision){.from = from, .level = level, .verdict = VERDICT_NO};
    versions_find(&x->versions, from, level);
    if (x->versions.anomaly.kind != ANOMALY_NONE)
        return;
    dependencies_find(&x->dependencies, &x->versions, level);
    if (cycle_exists(&x->dependencies)) {
        cycle_find(&x->cycle, &x->dependencies);
        return;
    }
    int64_t *deadline = schedule_deadlines(&x->dependencies);
    bool scheduled = level->isolation != READ_COMMITTED && !limits->no_schedule &&
                     (schedule(x, deadline) || decide_strictly(x, limits));
    x->verdict = scheduled ? VERDICT_YES : choose(x, deadline, &limits->choices);
    free(deadline);
}

void decision_free(struct decision *x)
{
    free(x->order);
    cycle_free(&x->cycle);
    choices_free(&x->choices);
    dependencies_free(&x->dependencies);
    versions_free(&x->versions);
    *x = (struct decision){0};
}
