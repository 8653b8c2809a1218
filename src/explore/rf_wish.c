#include "explore/rf_wish.h"

#include <string.h>

#include "base/mem.h"

void rf_wishes_init(struct rf_wishes *w, struct target *target, struct rf_path *path, uint32_t root)
{
    struct exec *exec = target->exec;
    const uint32_t limit = exec->limit + 2;
    w->target = target;
    w->exec = exec;
    w->path = path;
    w->root = root;
    w->witness = witness_new(limit, exec->object_limit);
    w->steps = mem_reserve(limit * sizeof *w->steps);
    w->numbers = mem_reserve(limit * sizeof *w->numbers);
    w->places = mem_reserve(limit * sizeof *w->places);
    w->sums = mem_reserve((limit + MAX_ACTORS) * sizeof *w->sums);
}

void rf_wishes_free(struct rf_wishes *w)
{
    const uint32_t limit = w->exec->limit + 2;
    witness_free(w->witness);
    mem_release(w->steps, limit * sizeof *w->steps);
    mem_release(w->numbers, limit * sizeof *w->numbers);
    mem_release(w->places, limit * sizeof *w->places);
    mem_release(w->sums, (limit + MAX_ACTORS) * sizeof *w->sums);
}

void rf_wish_begin(struct rf_wishes *w, uint32_t choice)
{
    struct rf_wish *wish = &w->wish;
    const uint32_t known = w->exec->known, width = rf_path_at(w->path, choice)->width;
    memset(wish->lanes, 0, w->exec->clocks.width * sizeof *wish->lanes);
    memcpy(wish->lanes, rf_path_lanes(w->path, choice), (width < known ? width : known) * sizeof *wish->lanes);
    wish->changes = 0;
}

void rf_wish_clock(struct rf_wishes *w, clock_id clock)
{
    lanes_join(&w->exec->clocks, w->wish.lanes, clock);
}

// An event that happens otherwise: it knows what it knew before and, if it looks, its source.
struct rf_change *rf_wish_change(struct rf_wishes *w, uint32_t number, uint32_t actor)
{
    const struct exec *x = w->exec;
    struct rf_wish *wish = &w->wish;
    struct rf_change *c = &wish->change[wish->changes++];
    c->actor = actor;
    c->number = number;
    c->alternative = 0;
    c->doubt = STEP_SURE;
    c->looks = true;
    if (number < x->count) {
        const struct event *e = &x->events[number];
        c->kind = e->kind;
        c->object = e->object;
        lanes_copy(&x->clocks, c->lanes, e->before);
    } else {
        c->kind = x->actors[actor].pending.kind;
        c->object = x->actors[actor].pending.object;
        lanes_copy(&x->clocks, c->lanes, x->actors[actor].clock);
    }
    c->writes = op_table[c->kind].at_most != EFFECT_READ;
    wish->lanes[actor]++;
    return c;
}

static const struct rf_change *change_of(const struct rf_wish *wish, uint32_t actor, uint32_t index)
{
    for (uint32_t i = 0; i < wish->changes; i++)
        if (wish->change[i].actor == actor && wish->lanes[actor] == index)
            return &wish->change[i];
    return NULL;
}

// Whatever its number, the event is the same in all executions that have it.
static uint64_t identity(const struct rf_wishes *w, uint32_t number)
{
    const struct exec *x = w->exec;
    if (number == NO_EVENT)
        return 0;
    uint32_t actor = number < x->count ? x->events[number].actor : w->wish.change[0].actor;
    uint32_t index = number < x->count ? x->events[number].index : x->actors[actor].events + 1;
    return (uint64_t)(actor + 1) << 32 | index;
}

static struct fingerprint print_of(const struct rf_wishes *w, uint32_t actor, uint32_t index, uint32_t source,
                                   uint64_t alternative)
{
    return fingerprint_of((uint64_t)(actor + 1) << 32 | index, identity(w, source) ^ alternative * 0x9e3779b97f4a7c15u);
}

// Of the first so many events of an actor.
static struct fingerprint *sum_of(const struct rf_wishes *w, uint32_t actor, uint32_t events)
{
    return &w->sums[w->own[actor] + actor + events];
}

static void sum_events(struct rf_wishes *w, uint32_t actor)
{
    const struct exec *x = w->exec;
    *sum_of(w, actor, 0) = (struct fingerprint){0, 0};
    for (uint32_t i = 1; i <= x->actors[actor].events; i++) {
        uint32_t number = w->numbers[w->own[actor] + i - 1];
        uint32_t source = x->events[number].looks ? rf_source(x, number) : NO_EVENT;
        *sum_of(w, actor, i) = *sum_of(w, actor, i - 1);
        fingerprint_add(sum_of(w, actor, i), print_of(w, actor, i, source, x->events[number].alternative));
    }
}

// How many events of an actor the wish has as they are.
static uint32_t as_they_are(const struct rf_wish *wish, uint32_t actor)
{
    uint32_t n = wish->lanes[actor];
    for (uint32_t i = 0; i < wish->changes; i++)
        n -= wish->change[i].actor == actor;
    return n;
}

// What the wish adds to the events that are fixed before the choice.
static struct fingerprint wish_key(const struct rf_wishes *w, uint32_t choice)
{
    const struct rf_wish *wish = &w->wish;
    const uint32_t *fixed = rf_path_lanes(w->path, choice), width = rf_path_at(w->path, choice)->width;
    struct fingerprint key = {0, 0};
    for (uint32_t a = 0; a < w->exec->known; a++) {
        uint32_t from = a < width ? fixed[a] : 0, until = as_they_are(wish, a);
        if (until <= from)
            continue;
        fingerprint_add(&key, *sum_of(w, a, until));
        fingerprint_subtract(&key, *sum_of(w, a, from));
    }
    for (uint32_t i = 0; i < wish->changes; i++) {
        const struct rf_change *c = &wish->change[i];
        fingerprint_add(&key, print_of(w, c->actor, wish->lanes[c->actor], c->source, c->alternative));
    }
    return key;
}

static void number_events(struct rf_wishes *w)
{
    const struct exec *x = w->exec;
    uint32_t start = 0;
    for (uint32_t a = 0; a < x->known; a++) {
        w->own[a] = start;
        start += x->actors[a].events;
    }
    for (uint32_t i = 0; i < x->count; i++)
        w->numbers[w->own[x->events[i].actor] + x->events[i].index - 1] = i;
}

void rf_wishes_begin(struct rf_wishes *w)
{
    number_events(w);
    for (uint32_t a = 0; a < w->exec->known; a++)
        sum_events(w, a);
}

void rf_wishes_end(struct rf_wishes *w)
{
    if (w->base)
        rf_path_drop(w->path, w->base);
    w->base = 0;
}

static uint32_t place_in_list(const struct rf_wishes *w, uint32_t source)
{
    return source == NO_EVENT ? WITNESS_INITIAL : w->places[source] + 1;
}

static struct witness_event unchanged(const struct rf_wishes *w, uint32_t number)
{
    const struct exec *x = w->exec;
    const struct event *e = &x->events[number];
    bool on_object = exec_is_on_object(e);
    return (struct witness_event){.actor = e->actor,
                                  .object = on_object ? e->object : 0,
                                  .source = on_object && e->looks ? place_in_list(w, exec_source(e)) : WITNESS_BLIND,
                                  .guide = 2 * number,
                                  .lanes = clock_lanes(&x->clocks, e->clock),
                                  .writes = rf_changes(e)};
}

static struct witness_event changed(struct rf_wishes *w, struct rf_change *c)
{
    bool behind = c->looks && c->source != NO_EVENT && c->source > c->number;
    return (struct witness_event){.actor = c->actor,
                                  .object = c->object,
                                  .source = c->looks ? place_in_list(w, c->source) : WITNESS_BLIND,
                                  .guide = behind ? 2 * c->source + 1 : 2 * c->number,
                                  .lanes = c->lanes,
                                  .writes = c->writes};
}

// The events of the wish as the witness wants them.
static void list_events(struct rf_wishes *w)
{
    const struct exec *x = w->exec;
    struct rf_wish *wish = &w->wish;
    uint32_t n = 0;
    for (uint32_t a = 0; a < x->known; a++) // sources may come later in the list
        for (uint32_t index = 1; index <= wish->lanes[a]; index++) {
            const struct rf_change *c = change_of(wish, a, index);
            w->places[c ? c->number : w->numbers[w->own[a] + index - 1]] = n++;
        }
    struct witness_event *list = witness_list(w->witness);
    for (uint32_t a = 0; a < x->known; a++)
        for (uint32_t index = 1; index <= wish->lanes[a]; index++) {
            struct rf_change *c = (struct rf_change *)change_of(wish, a, index);
            *list++ = c ? changed(w, c) : unchanged(w, w->numbers[w->own[a] + index - 1]);
        }
}

static struct rf_step step_of(struct rf_wishes *w, uint32_t place, uint32_t *done)
{
    const struct exec *x = w->exec;
    uint32_t actor = witness_list(w->witness)[place].actor, index = ++done[actor];
    const struct rf_change *c = change_of(&w->wish, actor, index);
    if (c)
        return (struct rf_step){(uint16_t)actor, (uint16_t)c->alternative, c->kind, c->doubt, (uint16_t)c->object};
    const struct event *e = &x->events[w->numbers[w->own[actor] + index - 1]];
    return (struct rf_step){(uint16_t)actor, e->alternative, e->kind, STEP_SURE, (uint16_t)e->object};
}

// Makes a plan of the order that the witness has found.
static void make_plan(struct rf_wishes *w, struct rf_plan *plan)
{
    const struct rf_wish *wish = &w->wish;
    uint32_t done[MAX_ACTORS] = {0};
    *plan = (struct rf_plan){.steps = w->steps};
    for (uint32_t a = 0; a < w->exec->known; a++)
        plan->length += wish->lanes[a];
    for (uint32_t at = 0; at < plan->length; at++)
        plan->steps[at] = step_of(w, witness_order(w->witness)[at], done);
}

enum foresight rf_foresee(struct target *target, uint32_t event, uint32_t like)
{
    const struct event *other = &target->exec->events[like];
    const enum op_kind kind = target->exec->events[event].kind;
    if (op_table[kind].access)
        return target->foresee ? target->foresee(target, event, like) : FORESEE_NOTHING;
    if (kind == other->kind)
        return rf_changes(other) ? FORESEE_A_CHANGE : FORESEE_A_LOOK;
    if (op_tries_lock(kind) && op_table[other->kind].takes)
        return FORESEE_A_CHANGE;
    return op_tries_lock(kind) && op_table[other->kind].lock == LOCK_LET_GO ? FORESEE_A_LOOK : FORESEE_NOTHING;
}

// An event other than this one that has looked at the source; NO_EVENT if there is none.
static uint32_t another_that_looked(const struct exec *x, uint32_t event, uint32_t source)
{
    const struct object *o = &x->objects[x->events[event].object];
    uint32_t i = o->effect == EFFECT_NONE ? NO_EVENT : o->group;
    while (i != NO_EVENT && (i == event || !x->events[i].looks || exec_source(&x->events[i]) != source))
        i = x->events[i].old_effect == EFFECT_NONE ? NO_EVENT : x->events[i].old_group;
    return i;
}

// Whether it is open, or sure, that the event only looks in the wish.
static bool might_only_look(const struct rf_wishes *w, const struct rf_change *c)
{
    if (!c->writes || !op_table[c->kind].varies || c->doubt & STEP_MUST_CHANGE)
        return false;
    bool done = c->number < w->exec->count;
    uint32_t like = done ? another_that_looked(w->exec, c->number, c->source) : NO_EVENT;
    return like == NO_EVENT || rf_foresee(w->target, c->number, like) != FORESEE_A_CHANGE;
}

// Looks for an order. Where it is open whether the last change will change its object, it comes when everybody has looked at
// what it would overwrite. If that cannot be, because another event overwrites the same, then it can only look.
static bool find_order(struct rf_wishes *w)
{
    const uint32_t known = w->exec->known;
    struct rf_change *last = &w->wish.change[w->wish.changes - 1];
    list_events(w);
    enum witness_answer answer = witness_find(w->witness, w->wish.lanes, known, w->places, w->root);
    if (answer == WITNESS_NONE && might_only_look(w, last)) {
        last->writes = false;
        last->doubt |= STEP_MUST_NOT_CHANGE;
        list_events(w);
        answer = witness_find(w->witness, w->wish.lanes, known, w->places, w->root);
    }
    w->too_long |= answer == WITNESS_TOO_LONG;
    return answer == WITNESS_FOUND;
}

uint32_t rf_wish_last_change(const struct rf_wishes *w, uint32_t object)
{
    const struct exec *x = w->exec;
    uint32_t i = x->objects[object].effect == EFFECT_NONE ? NO_EVENT : x->objects[object].group;
    while (i != NO_EVENT &&
           (!rf_changes(&x->events[i]) || x->events[i].index > as_they_are(&w->wish, x->events[i].actor)))
        i = x->events[i].old_effect == EFFECT_NONE ? NO_EVENT : x->events[i].old_group;
    return i;
}

static void name_changes(const struct rf_wish *wish, struct rf_plan *plan)
{
    plan->changes = wish->changes;
    for (uint32_t i = 0; i < wish->changes; i++) {
        plan->changed[i].actor = wish->change[i].actor;
        plan->changed[i].index = wish->lanes[wish->change[i].actor];
    }
}

// The execution at hand as the base of plans.
static uint32_t base_at_hand(struct rf_wishes *w)
{
    const struct exec *x = w->exec;
    for (uint32_t i = 0; i < x->count && !w->base; i++) {
        const struct event *e = &x->events[i];
        w->steps[i] = (struct rf_step){e->actor, e->alternative, e->kind, STEP_SURE, (uint16_t)e->object};
    }
    if (!w->base)
        w->base = rf_path_keep(w->path, w->steps, x->count);
    return w->base;
}

static void owe_in_order(struct rf_wishes *w, uint32_t choice)
{
    const struct rf_wish *wish = &w->wish;
    uint32_t lanes[MAX_ACTORS];
    struct rf_step own[2];
    struct rf_plan plan = {.base = base_at_hand(w), .lanes = lanes, .width = w->exec->known, .steps = own};
    for (uint32_t a = 0; a < w->exec->known; a++)
        lanes[a] = as_they_are(wish, a);
    for (uint32_t i = 0; i < wish->changes; i++) {
        const struct rf_change *c = &wish->change[i];
        own[plan.length++] =
            (struct rf_step){(uint16_t)c->actor, (uint16_t)c->alternative, c->kind, c->doubt, (uint16_t)c->object};
    }
    name_changes(wish, &plan);
    rf_path_owe(w->path, choice, &plan);
}

void rf_wish_ask(struct rf_wishes *w, uint32_t choice, bool in_order)
{
    if (!rf_path_claim(w->path, choice, wish_key(w, choice)))
        return;
    if (in_order) {
        owe_in_order(w, choice);
        return;
    }
    struct rf_plan plan;
    if (!find_order(w))
        return;
    make_plan(w, &plan);
    name_changes(&w->wish, &plan);
    rf_path_owe(w->path, choice, &plan);
}
