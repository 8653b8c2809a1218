#include "explore/search.h"

#include "base/mem.h"

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
    }
    return true;
}

// Lets everybody go on whom the target left alone, if this actor may be one of them.
static void settle(struct target *target, uint32_t actor)
{
    const struct exec *x = target->exec;
    for (uint32_t i = 0; i < x->known && target->settle && !exec_is_parked(x, actor); i++)
        if (x->actors[i].state == ACTOR_WAITING && target->settle(target, i))
            i = 0;
}

// Runs the interlude, and brings the target to the first `depth` events of the execution that it had before.
static bool interrupt(struct search *search, uint32_t depth)
{
    struct target *target = search->strategy->target;
    const size_t bytes = (depth + 1ull) * sizeof(struct step);
    struct step *steps = mem_reserve(bytes);
    for (uint32_t i = 0; i < depth; i++)
        steps[i] = (struct step){target->exec->events[i].actor, target->exec->events[i].alternative};
    bool goes_on = search->interlude(search->context);
    if (goes_on)
        target->restart(target, 0);
    for (uint32_t i = 0; goes_on && i < depth && !target->lost; i++) {
        settle(target, steps[i].actor);
        target->step(target, steps[i].actor, steps[i].alternative);
    }
    mem_release(steps, bytes);
    return goes_on;
}

enum search_end search_run(struct search *search)
{
    struct strategy *s = search->strategy;
    uint32_t depth = s->exec->count;
    for (;;) {
        const uint32_t from = s->anew ? s->anew - 1 : depth;
        search->planned = false;
        bool whole = run_on(search);
        search->executions++;
        search->events += s->exec->count > from ? s->exec->count - from : 0;
        search->cut += !whole;
        if (!search->leaf(search->context, whole))
            return SEARCH_STOPPED;
        s->anew = 0;
        if (!s->next(s, &depth))
            return SEARCH_DONE;
        search->planned = true;
        if (search->executions >= search->max_executions)
            return SEARCH_EXECUTIONS;
        if (!search->interlude_is_due || !search->interlude_is_due(search->context))
            s->target->restart(s->target, depth);
        else if (!interrupt(search, depth))
            return SEARCH_STOPPED;
    }
}
