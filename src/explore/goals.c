#include "explore/goals.h"

// What one goal says to an operation on its object, which stands at `spot`. A goal whose turn has not come keeps what it needs in
// place, and no more.
static enum stance stance(const struct goal *goal, const struct pairs *p, uint32_t actor, uint32_t object,
                          uint32_t spot)
{
    uint32_t last = pairs_last_change(p, object);
    if (goal->change == NOBODY && last != NOBODY) // it is too late
        return STANCE_FREE;
    bool looks = spot == goal->look && (goal->then ? goal->actor == actor + 1 : true);
    if (looks)
        return last == goal->change ? STANCE_URGED : STANCE_HELD;
    return last == goal->change && pairs_spot(p, spot)->changes ? STANCE_HELD : STANCE_FREE;
}

// Whether a goal is about the object. One that comes after another about the same object has to wait.
static bool is_about(const struct goals *g, uint32_t which, const struct pairs *p, uint32_t object)
{
    const struct goal *goal = &g->open[which];
    if (pairs_spot(p, goal->look)->object != object)
        return false;
    return !goal->then || goal->actor || pairs_spot(p, goal[-1].look)->object != object;
}

enum stance goals_stance(const struct goals *g, struct pairs *p, uint32_t actor, uint32_t object)
{
    enum stance all = STANCE_FREE;
    for (uint32_t i = 0; i < g->count; i++) {
        if (!is_about(g, i, p, object))
            continue;
        enum stance one = stance(&g->open[i], p, actor, object, pairs_pending(p, actor));
        if (one == STANCE_HELD)
            return one;
        all = one == STANCE_URGED ? one : all;
    }
    return all;
}

void goals_step(struct goals *g, struct pairs *p, uint32_t actor, uint32_t object)
{
    uint32_t kept = 0;
    bool met = false; // the goal before
    for (uint32_t i = 0; i < g->count; i++) {
        struct goal goal = g->open[i];
        if (met && goal.then)
            goal.actor = (uint16_t)(actor + 1);
        met =
            is_about(g, i, p, object) && stance(&g->open[i], p, actor, object, pairs_pending(p, actor)) == STANCE_URGED;
        if (!met)
            g->open[kept++] = goal;
    }
    g->count = kept;
}
