#include "transactions/decide.h"

#include <stdlib.h>

#include "base/fail.h"
#include "transactions/room.h"

// The order of the nodes as steps, without helpers and without what does not take part.
static void keep_order(struct decision *x)
{
    const struct moving_order *m = &x->choices.order;
    x->order = room_zeroed(m->nodes, sizeof *x->order);
    for (uint32_t i = 0; i < m->nodes; i++) {
        uint32_t node = m->node_at[i], t = transaction_of_node(&x->dependencies, node);
        if (t == NO_TRANSACTION || !x->versions.takes_part[t])
            continue;
        bool split = x->dependencies.split, start = !split || node == node_of_start(&x->dependencies, t);
        x->order[x->order_count++] = (struct replay_step){t, start, !split || !start};
    }
}

static enum verdict confirm_order(struct decision *x)
{
    keep_order(x);
    if (replay_fits(x->from, x->level, x->order, x->order_count))
        return VERDICT_YES;
    // What was left out of the graph is all that can be wrong.
    require(x->versions.unclear || x->choices.too_many);
    x->reason = x->versions.unclear ? "values" : "choices";
    return VERDICT_UNKNOWN;
}

void decide(struct decision *x, const struct transactions *from, const struct level *level,
            const struct choices_limits *limits)
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
    enum choices_answer answer = choices_make(&x->choices, &x->dependencies, limits);
    if (answer == CHOICES_MADE)
        x->verdict = confirm_order(x);
    else if (answer == CHOICES_UNKNOWN)
        x->verdict = VERDICT_UNKNOWN;
    if (x->verdict == VERDICT_UNKNOWN && !x->reason)
        x->reason = x->choices.reason;
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
