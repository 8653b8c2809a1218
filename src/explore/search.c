#include "explore/search.h"

// Runs the execution at hand to its end; false if it was cut at the step bound.
static bool run_on(struct search *search)
{
    struct strategy *s = search->strategy;
    struct target *target = s->target;
    struct step step;
    while (!target->lost && s->pick(s, &step)) {
        if (s->exec->count >= search->max_steps)
            return false;
        target->step(target, step.actor, step.alternative);
        search->events++;
    }
    return true;
}

enum search_end search_run(struct search *search)
{
    struct strategy *s = search->strategy;
    for (;;) {
        bool whole = run_on(search);
        search->executions++;
        search->cut += !whole;
        if (!search->leaf(search->context, whole))
            return SEARCH_STOPPED;
        uint32_t depth;
        if (!s->next(s, &depth))
            return SEARCH_DONE;
        if (search->executions >= search->max_executions)
            return SEARCH_EXECUTIONS;
        s->target->restart(s->target, depth);
    }
}
