// Exploration by reads-from classes: one execution for all that have the same events in each thread, each looking at the same
// *source*, which is the last event that changed the object.
//
// Such executions are the same to every thread: it reads the same, does the same, and waits at the same places. They may leave
// other values in memory that nobody has read. The idea is that of Abdulla, Atig, Jonsson, Lång, Ngo and Sagonas (OOPSLA 2019);
// the tree below is heddle's own.
//
//   A *beginning* F is a set of events with their sources that has, with each event, all that this one could not have happened
//   without: those before it in its thread, its source, and what it was created, joined or woken by. The clocks of
//   exec_by_sources say what these are. Let E be an execution that begins with F, and e1, e2, … its other events, in order. A
//   class T that begins with F is that of E, or there is a first ei that T does not have as E has it. Let G be F with e1 … ei-1.
//   T begins with G, so the thread of ei is about to do the same in T. If that is an operation that never waits, T has it with
//   another source w. Let Q be what w needs. Then T begins with G, Q, w and ei looking at w, and T is below no other of these
//   beginnings: i, w and Q are given by T. So they are a tree, in which each class has one leaf.
//
// ei is a *choice* at G. Its beginnings are found in executions below G:
//
// - w is in G (ask_for_earlier_sources).
// - w is a later event of an execution below G that can do without ei (ask_for_source). If w overwrites blindly, there is such
//   an execution, or one for a smaller Q: take T up to w without ei, then ei, then w.
// - w looks itself, as a read-modify-write does. In the executions in which ei is in the place of w, w comes after ei and looks at
//   it. So such a pair is exchanged: w looks at what ei looks at, and ei at w (ask_for_exchange). Whether w then changes the
//   object shows when it is run. If not, the execution is given up: ei reads the same as before, which is no other beginning.
//
// An operation that takes an object may wait for ever, so T need not have it. Such a choice is about who takes the object next:
// T begins with G, what h needs, and h in the place of ei (ask_for_taker). Here h is found behind ei or waiting for it, and only while ei is in
// its place.
//
// Whether a beginning can be had is for witness.h to find out. Two executions show the same beginning again and again, so a choice knows
// what it has asked for. An execution asks only for what it has that is new: of old choices for what its new events show.
//
// What this does not take apart is searched by traces, with `optimal`: the end of the process while others run, cancellation,
// signals, descriptors, futexes, readers–writer locks.
//
// **Races.** What happens before what, by synchronisation as written, follows from the sources: an acquire learns what its
// source released. So the same accesses race in all executions of a class, and those of the one that is run are seen. There is one
// exception. A relaxed store continues a release sequence that its own thread heads, but only if nobody else has stored in
// between. Such a store counts as looking at what it overwrites (op.looks).
//
// **Reads that are no events.** The last thread of a program does its operations at once elsewhere. Here they are events once there
// were other threads, since they look at the last write (looks_count_alone). A plain read of memory that is written atomically is no
// event, and may depend on the order of writes: such programs are left to `optimal` (order_of_writes_matters).
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "explore/rf_path.h"
#include "explore/rf_wish.h"
#include "explore/strategy.h"

struct rf {
    struct strategy s;       // first: it is found from it
    struct strategy *traces; // what searches instead if this cannot
    struct strategy_options options;
    struct rf_path *path;
    struct rf_plan plan;
    struct rf_wishes wishes;
    bool given_up; // the execution at hand is not the one that was wanted
    bool unfit;    // there is something that this does not understand
};

static struct rf *self(struct strategy *s)
{
    return (struct rf *)s;
}

// Running a plan.

static bool step_came_true(const struct rf *rf, uint32_t at)
{
    bool changed = rf->s.exec->events[at].effect != EFFECT_READ;
    return !(rf->plan.steps[at].doubt & (changed ? STEP_MUST_NOT_CHANGE : STEP_MUST_CHANGE));
}

static bool as_planned(struct rf *rf, const struct rf_step *step)
{
    const struct op *op = &rf->s.exec->actors[step->actor].pending;
    struct target *target = rf->s.target;
    if (!exec_is_parked(rf->s.exec, step->actor) || step->kind == OP_NONE ||
        (op->kind == step->kind && (uint16_t)op->object == step->object))
        return true;
    if (target->surprise)
        target->surprise(target, step->actor, (struct op){.kind = step->kind, .object = step->object});
    return false;
}

static bool pick_planned(struct rf *rf, uint32_t at, struct step *next)
{
    const struct rf_step *step = &rf->plan.steps[at];
    if (!as_planned(rf, step))
        return false;
    if (!can_run(&rf->s, step->actor)) {
        rf->given_up = step->doubt & STEP_MAY_WAIT;
        rf->unfit |= !rf->given_up;
        return false;
    }
    *next = (struct step){step->actor, step->alternative};
    return true;
}

static bool rf_pick(struct strategy *s, struct step *next)
{
    struct rf *rf = self(s);
    if (rf->traces)
        return rf->traces->pick(rf->traces, next);
    uint32_t at = s->exec->count;
    if (at && at <= rf->plan.length && !step_came_true(rf, at - 1)) {
        rf->given_up = true;
        return false;
    }
    if (at < rf->plan.length)
        return pick_planned(rf, at, next);
    int actor = usual_choice(s);
    *next = (struct step){(uint16_t)actor, 0};
    return actor >= 0;
}

// Which other beginnings there are.

static uint32_t event_of(const struct rf *rf, const struct rf_choice *choice)
{
    return rf->wishes.numbers[rf->wishes.own[choice->actor] + choice->index - 1];
}

static void look_at(struct rf *rf, struct rf_change *c, uint32_t source)
{
    const struct exec *x = rf->s.exec;
    c->source = source;
    if (source == NO_EVENT)
        return;
    lanes_join(&x->clocks, c->lanes, x->events[source].clock);
    rf_wish_clock(&rf->wishes, x->events[source].clock);
}

// The event `e` of the choice looks at `source` instead, which could do without it. If that is a new event, all others of the wish
// came before it.
static void ask_for_source(struct rf *rf, uint32_t choice, uint32_t e, uint32_t source)
{
    bool in_order = source != NO_EVENT && source >= rf->plan.length && source > e;
    rf_wish_begin(&rf->wishes, choice);
    look_at(rf, rf_wish_change(&rf->wishes, e, rf->s.exec->events[e].actor), source);
    rf_wish_ask(&rf->wishes, choice, in_order);
}

// Whether it is known that `h` would only look, had it looked at what `e` looked at.
static bool would_only_look(const struct rf *rf, uint32_t h, uint32_t e)
{
    return h < rf->s.exec->count && rf_foresee(rf->s.target, h, e) == FORESEE_A_LOOK;
}

// `h`, which came after `e` or waits for it, looks at what `e` looks at, and `e` at `h`.
static void ask_for_exchange(struct rf *rf, uint32_t choice, uint32_t e, uint32_t h, uint32_t actor)
{
    const struct exec *x = rf->s.exec;
    rf_wish_begin(&rf->wishes, choice);
    rf_wish_clock(&rf->wishes, h < x->count ? x->events[h].before : x->actors[actor].clock);
    struct rf_change *first = rf_wish_change(&rf->wishes, h, actor);
    look_at(rf, first, exec_source(&x->events[e]));
    first->doubt = STEP_MAY_WAIT | STEP_MUST_CHANGE;
    struct rf_change *then = rf_wish_change(&rf->wishes, e, x->events[e].actor);
    then->source = h;
    for (uint32_t a = 0; a < x->known; a++)
        if (then->lanes[a] < first->lanes[a])
            then->lanes[a] = first->lanes[a];
    then->lanes[actor] = rf->wishes.wish.lanes[actor];
    rf_wish_ask(&rf->wishes, choice, rf_wish_last_change(&rf->wishes, first->object) == first->source);
}

// `h` takes the object that `e` took.
static void ask_for_taker(struct rf *rf, uint32_t choice, uint32_t e, uint32_t h, uint32_t actor)
{
    const struct exec *x = rf->s.exec;
    rf_wish_begin(&rf->wishes, choice);
    rf_wish_clock(&rf->wishes, h < x->count ? x->events[h].before : x->actors[actor].clock);
    struct rf_change *c = rf_wish_change(&rf->wishes, h, actor);
    c->source = exec_source(&x->events[e]);
    c->doubt = STEP_MAY_WAIT | STEP_MUST_CHANGE;
    rf_wish_ask(&rf->wishes, choice, true);
}

// The other outcomes of an event that had a choice. `e` is the event of the choice, or was changed together with it.
static void ask_for_outcomes(struct rf *rf, uint32_t choice, uint32_t e, const uint32_t *lanes)
{
    const struct exec *x = rf->s.exec;
    const struct event *event = &x->events[e];
    for (uint32_t i = 1; event->alternative == 0 && i < event->alternatives; i++) {
        rf_wish_begin(&rf->wishes, choice);
        for (uint32_t a = 0; a < x->known; a++)
            rf->wishes.wish.lanes[a] = lanes[a];
        rf->wishes.wish.lanes[event->actor]--;
        struct rf_change *c = rf_wish_change(&rf->wishes, e, event->actor);
        c->alternative = i;
        c->looks = exec_is_on_object(event) && event->looks;
        c->source = rf_source(x, e);
        c->writes = rf_changes(event);
        c->object = exec_is_on_object(event) ? event->object : 0;
        lanes_copy(&x->clocks, c->lanes, event->clock);
        rf_wish_ask(&rf->wishes, choice, e >= rf->plan.length);
    }
}

static bool knows(const struct exec *x, clock_id clock, uint32_t event)
{
    return clock_knows(x, clock, &x->events[event]);
}

static bool is_fixed(const struct rf *rf, uint32_t choice, const struct event *e)
{
    return e->actor < rf_path_at(rf->path, choice)->width && rf_path_lanes(rf->path, choice)[e->actor] >= e->index;
}

// Whether others may have to wait for the object of such an operation. Between two operations on other objects nothing need come:
// what can be done can be done at once.
static bool can_block(enum op_kind kind)
{
    return op_table[kind].takes || op_table[kind].lock || op_table[kind].tokens;
}

// What event `h` shows to be owed by a choice about its object.
static void meet_choice(struct rf *rf, uint32_t number, uint32_t h)
{
    const struct exec *x = rf->s.exec;
    const struct rf_choice *choice = rf_path_at(rf->path, number);
    const struct event *event = &x->events[h];
    if (is_fixed(rf, number, event) || event->actor == choice->actor || (choice->takes && choice->begun))
        return;
    const uint32_t e = event_of(rf, choice);
    if (choice->takes) {
        if (!knows(x, event->before, e) && (event->kind != OP_LOCK || event->conflicts == e))
            ask_for_taker(rf, number, e, h, event->actor);
    } else if (!knows(x, event->clock, e)) {
        if (rf_changes(event) && exec_source(&x->events[e]) != h)
            ask_for_source(rf, number, e, h);
    } else if (!knows(x, event->before, e) && rf_changes(&x->events[e]) &&
               (exec_source(event) == e || can_block(event->kind)) && !would_only_look(rf, h, e)) {
        ask_for_exchange(rf, number, e, h, event->actor);
    }
}

static void meet_choices(struct rf *rf, uint32_t h, uint32_t until)
{
    for (uint32_t c = rf_path_newest(rf->path, rf->s.exec->events[h].object); c; c = rf_path_at(rf->path, c - 1)->below)
        if (c - 1 < until)
            meet_choice(rf, c - 1, h);
}

// An operation that waits at the end for somebody who has taken the object.
static void meet_pending(struct rf *rf, uint32_t actor)
{
    const struct exec *x = rf->s.exec;
    const struct actor *a = &x->actors[actor];
    if (a->pending.idle || !op_table[a->pending.kind].takes)
        return;
    for (uint32_t c = rf_path_newest(rf->path, a->pending.object); c; c = rf_path_at(rf->path, c - 1)->below) {
        const struct rf_choice *choice = rf_path_at(rf->path, c - 1);
        if (choice->actor == actor || (choice->takes && choice->begun))
            continue;
        uint32_t e = event_of(rf, choice);
        if (knows(x, a->clock, e) || (a->pending.kind == OP_LOCK && x->objects[a->pending.object].holder != e + 1))
            continue;
        if (choice->takes)
            ask_for_taker(rf, c - 1, e, x->count, actor);
        else if (rf_changes(&x->events[e]))
            ask_for_exchange(rf, c - 1, e, x->count, actor);
    }
}

// The sources among the events that are fixed before a new choice. What was overwritten by something that the event knows of
// cannot be one.
static void ask_for_earlier_sources(struct rf *rf, uint32_t choice, uint32_t e)
{
    const struct exec *x = rf->s.exec;
    const struct event *event = &x->events[e], *known = NULL;
    const uint32_t source = exec_source(event);
    for (const struct event *f = event; f->old_effect != EFFECT_NONE;) {
        uint32_t i = f->old_group;
        f = &x->events[i];
        if (!rf_changes(f) || (known && knows(x, known->clock, i)))
            continue;
        if (!known && knows(x, event->before, i))
            known = f;
        if (i != source)
            ask_for_source(rf, choice, e, i);
    }
    if (source != NO_EVENT && !known)
        ask_for_source(rf, choice, e, NO_EVENT);
}

static bool is_choice(const struct event *e)
{
    if (e->alternatives > 1)
        return true;
    if (!exec_is_on_object(e) || !e->looks || op_table[e->kind].lock == LOCK_LET_GO)
        return false;
    return !op_table[e->kind].takes || e->effect != EFFECT_READ;
}

// Makes choices of the new events and asks for what their sources could be among those before.
static void push_choices(struct rf *rf)
{
    const struct exec *x = rf->s.exec;
    uint32_t lanes[MAX_ACTORS] = {0};
    for (uint32_t i = 0; i < x->count; i++) {
        const struct event *e = &x->events[i];
        if (i >= rf->plan.length && is_choice(e)) {
            struct rf_choice choice = {.actor = e->actor,
                                       .index = e->index,
                                       .object = exec_is_on_object(e) ? e->object : 0,
                                       .takes = op_table[e->kind].takes,
                                       .width = x->known};
            uint32_t number = rf_path_push(rf->path, &choice, lanes);
            if (choice.object && !choice.takes)
                ask_for_earlier_sources(rf, number, i);
        }
        lanes[e->actor]++;
        if (i >= rf->plan.length && e->alternatives > 1)
            ask_for_outcomes(rf, rf_path_count(rf->path) - 1, i, lanes);
    }
}

// Events that do something else than in the execution that showed the plan.
static void look_at_changed(struct rf *rf, uint32_t choices)
{
    const struct exec *x = rf->s.exec;
    uint32_t lanes[MAX_ACTORS] = {0};
    for (uint32_t i = 0; i < rf->plan.length; i++)
        lanes[x->events[i].actor]++;
    for (uint32_t i = 0; i < rf->plan.changes; i++) {
        uint32_t number = rf->wishes.numbers[rf->wishes.own[rf->plan.changed[i].actor] + rf->plan.changed[i].index - 1];
        if (x->events[number].alternatives > 1)
            ask_for_outcomes(rf, choices - 1, number, lanes);
        if (rf_could_change(&x->events[number]))
            meet_choices(rf, number, choices);
    }
}

static void collect(struct rf *rf)
{
    const struct exec *x = rf->s.exec;
    const uint32_t choices = rf_path_count(rf->path);
    for (uint32_t i = rf->plan.length; i < x->count; i++)
        rf->unfit |= x->any_unlocks || !op_table[x->events[i].kind].by_source;
    if (rf->unfit)
        return;
    rf_wishes_begin(&rf->wishes);
    look_at_changed(rf, choices);
    push_choices(rf);
    for (uint32_t i = rf->plan.length; i < x->count; i++)
        if (rf_could_change(&x->events[i]))
            meet_choices(rf, i, UINT32_MAX);
    for (uint32_t actor = 0; actor < x->known; actor++)
        if (exec_is_parked(x, actor))
            meet_pending(rf, actor);
    rf_wishes_end(&rf->wishes);
}

// Whether a step in doubt comes true is looked at when it is taken, so it is always taken again.
static uint32_t common_steps(const struct rf *rf)
{
    const struct exec *x = rf->s.exec;
    uint32_t depth = 0;
    while (depth < x->count && depth < rf->plan.length && x->events[depth].actor == rf->plan.steps[depth].actor &&
           x->events[depth].alternative == rf->plan.steps[depth].alternative && !rf->plan.steps[depth].doubt)
        depth++;
    return depth;
}

// Begins anew with a search that understands everything.
static bool search_traces(struct rf *rf, uint32_t *depth)
{
    struct target *target = rf->s.target;
    target->restart(target, 0);
    exec_by_sources(rf->s.exec, false);
    rf->traces = optimal_new(target, &rf->options);
    rf->s.account.by_traces = true;
    *depth = 0;
    return true;
}

static bool rf_next(struct strategy *s, uint32_t *depth)
{
    struct rf *rf = self(s);
    if (rf->traces) {
        bool more = rf->traces->next(rf->traces, depth);
        s->redundant = rf->traces->redundant;
        return more;
    }
    if (!rf->given_up && !rf->unfit)
        collect(rf);
    rf->unfit |= rf->wishes.too_long;
    s->redundant += rf->given_up;
    rf->given_up = false;
    if (rf->unfit)
        return search_traces(rf, depth);
    if (!rf_path_take(rf->path, &rf->plan))
        return false;
    *depth = common_steps(rf);
    return true;
}

static void rf_free(struct strategy *s)
{
    struct rf *rf = self(s);
    const size_t limit = s->exec->limit + 2;
    if (rf->traces)
        rf->traces->free(rf->traces);
    exec_by_sources(s->exec, false);
    rf_path_free(rf->path);
    rf_wishes_free(&rf->wishes);
    mem_release(rf->plan.steps, limit * sizeof *rf->plan.steps);
    mem_release(rf, sizeof *rf);
}

struct strategy *rf_new(struct target *target, const struct strategy_options *options)
{
    struct rf *rf = mem_reserve(sizeof *rf);
    const uint32_t limit = target->exec->limit + 2;
    rf->s = (struct strategy){
        .name = "rf", .target = target, .exec = target->exec, .pick = rf_pick, .next = rf_next, .free = rf_free};
    rf->options = *options;
    rf->path = rf_path_new(limit, target->exec->object_limit);
    rf_wishes_init(&rf->wishes, target, rf->path, options->root);
    rf->plan.steps = mem_reserve(limit * sizeof *rf->plan.steps);
    rf->plan.length = options->root;
    for (uint32_t i = 0; i < options->root; i++)
        rf->plan.steps[i] =
            (struct rf_step){.actor = options->prefix[i].actor, .alternative = options->prefix[i].alternative};
    exec_by_sources(target->exec, true);
    return &rf->s;
}
