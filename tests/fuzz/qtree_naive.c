#include "fuzz/qtree_naive.h"

static bool is_same_event(const struct qtree_event *a, const struct qtree_event *b)
{
    return a->instance == b->instance && a->is_commit == b->is_commit && qtree_same_round(a->round, b->round) &&
           (a->is_commit || (a->value == b->value && qtree_same_round(a->parent, b->parent)));
}

// Whether an earlier witness has told of the same event.
static bool is_repeated(const struct naive_rules *rules, const struct qtree_event *events, int at)
{
    for (int i = 0; i < at && rules->witnesses; i++)
        if (is_same_event(&events[i], &events[at]))
            return true;
    return false;
}

static bool is_add_of(const struct qtree_event *e, const struct qtree_event *of, struct qtree_round round)
{
    return e->instance == of->instance && !e->is_commit && qtree_same_round(e->round, round);
}

static const struct qtree_event *find_add(const struct qtree_event *events, int count, const struct qtree_event *of,
                                          struct qtree_round round)
{
    for (int i = 0; i < count; i++)
        if (is_add_of(&events[i], of, round))
            return &events[i];
    return NULL;
}

static bool passes_over(const struct qtree_event *add, const struct qtree_event *commit)
{
    return add->instance == commit->instance && !add->is_commit && commit->is_commit &&
           qtree_before(add->parent, commit->round) && qtree_before(commit->round, add->round);
}

static bool is_property_1(const struct naive_rules *rules, const struct qtree_event *events, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            if (events[i].instance == events[k].instance && events[i].is_commit == events[k].is_commit &&
                qtree_same_round(events[i].round, events[k].round) && !is_repeated(rules, events, i))
                return false;
    return true;
}

static bool is_property_2(const struct qtree_event *events, int count)
{
    for (int i = 0; i < count; i++)
        if (events[i].is_commit && !find_add(events, i, &events[i], events[i].round))
            return false;
    return true;
}

static bool is_property_3(const struct naive_rules *rules, const struct qtree_event *events, int count)
{
    for (int i = 0; i < count; i++) {
        const struct qtree_event *e = &events[i], *parent = find_add(events, i, e, e->parent);
        if (e->is_commit)
            continue;
        if (qtree_is_root(e->round))
            return false; // the precondition of add
        if (qtree_is_root(e->parent))
            continue;
        if (!parent || !qtree_before(e->parent, e->round))
            return false;
        if (rules->values == QTREE_SAME_VALUES && parent->value != e->value)
            return false;
    }
    return true;
}

static bool is_property_4(const struct qtree_event *events, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++)
            if (passes_over(&events[i], &events[k]))
                return false;
    return true;
}

bool naive_is_right(const struct naive_rules *rules, const struct qtree_event *events, int count)
{
    return is_property_1(rules, events, count) && is_property_2(events, count) && is_property_3(rules, events, count) &&
           is_property_4(events, count);
}

// Whether the other event is really there.
static bool is_before(const struct qtree_event *events, int at, const struct qtree_event *other)
{
    for (int i = 0; i < at; i++)
        if (events[i].origin == other->origin)
            return is_same_event(&events[i], other);
    return false;
}

bool naive_agrees(const struct naive_rules *rules, const struct qtree_event *events, int at,
                  const struct qtree_violation *v)
{
    const struct qtree_event *e = &events[at], *o = &v->other;
    if (!is_same_event(e, &v->event) || (v->has_other && !is_before(events, at, o)))
        return false;
    switch (v->fault) {
    case QTREE_ROUND_ZERO:
        return qtree_is_root(e->round);
    case QTREE_ADDED_TWICE:
        return v->has_other && !e->is_commit && is_add_of(o, e, e->round);
    case QTREE_COMMITTED_TWICE:
        return v->has_other && e->is_commit && is_same_event(e, o);
    case QTREE_NEVER_ADDED:
        return e->is_commit && !find_add(events, at, e, e->round);
    case QTREE_NO_PARENT:
        return !qtree_is_root(e->parent) && !find_add(events, at, e, e->parent);
    case QTREE_PARENT_NOT_LOWER:
        return !qtree_before(e->parent, e->round);
    case QTREE_VALUE_CHANGED:
        return rules->values == QTREE_SAME_VALUES && v->has_other && is_add_of(o, e, e->parent) && o->value != e->value;
    case QTREE_PASSED_OVER:
        return v->has_other && (passes_over(e, o) || passes_over(o, e));
    default:
        return false;
    }
}

// Whether there is a path from the round of `from` down to this one.
static bool leads_to(const struct qtree_event *events, int count, const struct qtree_event *from, struct qtree_round to)
{
    for (struct qtree_round at = from->round;; at = find_add(events, count, from, at)->parent)
        if (qtree_is_root(at) || !qtree_before(to, at))
            return qtree_same_round(at, to);
}

enum qtree_status naive_status(const struct qtree_event *events, int count, int at)
{
    const struct qtree_event *e = &events[at];
    for (int i = 0; i < count; i++)
        if (events[i].is_commit && events[i].instance == e->instance && qtree_same_round(events[i].round, e->round))
            return QTREE_COMMITTED;
    for (int i = 0; i < count; i++)
        if (!events[i].is_commit && events[i].instance == e->instance && qtree_before(e->round, events[i].round) &&
            !leads_to(events, count, &events[i], e->round))
            return QTREE_GHOST;
    return QTREE_ADDED;
}
