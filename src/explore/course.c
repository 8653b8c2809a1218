#include "explore/course.h"

#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "base/paths.h"

const char owed_room[] = "the executions that are owed (1 GiB)";

// Lets everybody go on whom the target left alone; says whether there was somebody.
static bool settle_all(const struct course *course)
{
    struct target *target = course->s.target;
    const struct exec *x = course->s.exec;
    bool some = false, more = target->settle && x->live; // without which there is nobody
    while (more) {
        more = false;
        for (uint32_t actor = 0; actor < x->known; actor++) {
            if (x->actors[actor].state != ACTOR_WAITING || !target->settle(target, actor))
                continue;
            some = more = true;
            if (!x->live)
                return true;
        }
    }
    return some;
}

// The step about to be taken ends the process: nobody can run then, and it is too late to ask who could have.
static RARE void before_end(struct course *course)
{
    const struct exec *x = course->s.exec;
    settle_all(course);
    memset(course->could_run, 0, sizeof course->could_run);
    for (uint32_t other = 0; other < x->known; other++)
        if (can_run(&course->s, other))
            course->could_run[other / 64] |= 1ull << (other % 64);
}

static IN_PLACE void before_step(struct course *course, uint32_t actor)
{
    const struct exec *x = course->s.exec;
    if (unlikely(!exec_is_parked(x, actor)))
        settle_all(course);
    if (unlikely(op_table[x->actors[actor].pending.kind].at_most == EFFECT_ALL))
        before_end(course);
}

// Whether the actor is about to do what it did when the detour was found; it does unless the target is not the same each
// time.
static IN_PLACE bool as_planned(struct course *course, uint32_t at)
{
    const struct plan_step *step = &course->plan[at];
    const struct op *op = &course->s.exec->actors[step->actor].pending;
    if (step->kind == OP_NONE || !exec_is_parked(course->s.exec, step->actor) ||
        (op->kind == step->kind && (uint16_t)op->object == step->object))
        return true;
    if (course->s.target->surprise)
        course->s.target->surprise(course->s.target, step->actor,
                                   (struct op){.kind = step->kind, .object = step->object});
    return false;
}

// Right after the plan what its detour replaced comes first: everything that depends on it then comes after it.
// -1 if there is no such actor, or it cannot run.
static OFTEN int replaced_actor(struct course *course)
{
    const struct strategy *s = &course->s;
    if (!course->detour_count || course->detours[course->detour_count - 1].end + 1 != course->length)
        return -1;
    uint32_t instead = course->detours[course->detour_count - 1].instead_actor;
    bool can = instead != NO_EVENT && (can_run(s, instead) || (settle_all(course) && can_run(s, instead)));
    return can ? (int)instead : -1;
}

static OFTEN bool pick_planned(struct course *course, uint32_t at, struct step *next)
{
    before_step(course, course->plan[at].actor);
    if (!as_planned(course, at))
        return false;
    *next = (struct step){course->plan[at].actor, course->plan[at].alternative};
    return true;
}

static OFTEN int choice_once_settled(struct course *course)
{
    return settle_all(course) ? usual_choice(&course->s) : -1;
}

bool course_pick(struct strategy *s, struct step *next)
{
    struct course *course = (struct course *)s;
    uint32_t at = s->exec->count;
    if (at < course->length)
        return pick_planned(course, at, next);
    int actor = unlikely(at == course->length) ? replaced_actor(course) : -1;
    if (actor < 0)
        actor = usual_choice(s);
    if (unlikely(actor < 0))
        actor = choice_once_settled(course);
    if (unlikely(actor < 0))
        return false;
    if (unlikely(op_table[s->exec->actors[actor].pending.kind].at_most == EFFECT_ALL))
        before_end(course);
    course->plan[at] = (struct plan_step){(uint16_t)actor, 0, USUAL, OP_NONE, 0};
    *next = (struct step){(uint16_t)actor, 0};
    return true;
}

// Whether the past of `event` has something, since the detour began, that depends on what the detour replaced.
static bool answered(const struct course *course, const struct detour *d, uint32_t event)
{
    const struct exec *x = course->s.exec;
    clock_id past = x->events[event].clock;
    for (uint32_t i = d->start; i < event; i++) {
        const struct event *f = &x->events[i];
        if (clock_knows(x, past, f) && ops_depend(f->effect, f->object, d->instead_effect, d->instead_object))
            return true;
    }
    return false;
}

// Only now it is known: an operation may have another effect than it had after the event it was put in front of.
bool course_belongs(const struct course *course)
{
    uint32_t c = course->length - 1;
    const struct event *event = &course->s.exec->events[c];
    for (uint32_t i = 0; i + 1 < course->detour_count; i++) {
        const struct detour *d = &course->detours[i];
        if (event->actor < d->actor && ops_depend(event->effect, event->object, d->instead_effect, d->instead_object) &&
            !answered(course, d, c))
            return false;
    }
    return true;
}

// An operation about to be put in front of event `e`, with what it needs: `past` and everything it depended on up to
// position `end`.
struct reversal {
    uint32_t e, end, actor;
    uint8_t kind;
    uint32_t object;
    clock_id past;
    clock_id before; // what its actor knows by itself
};

// Whether nothing that has happened since the detour began will be in the operation's past, for reasons seen at a glance:
// its actor's clock is older; the newest of what it depended on is `e`, or does not count, so that nothing comes with it
// from behind `e`; and on its object nothing in front of `e` and behind the beginning depends on it.
static bool begins_afresh(const struct exec *x, const struct detour *d, const struct reversal *r)
{
    const enum effect effect = op_table[r->kind].at_most;
    const struct event *f = &x->events[r->e];
    if (r->before >= x->events[d->start].clock_mark || effect == EFFECT_ALL || f->effect == EFFECT_ALL ||
        f->object != r->object || (r->past != r->before && x->events[r->end].conflicts != r->e))
        return false;
    while (f->old_effect != EFFECT_NONE && f->old_group >= d->start) {
        f = &x->events[f->old_group];
        if (effects_depend(f->effect, effect))
            return false;
    }
    return true;
}

// The same as `answered` before the reversal is carried out, as if the operation had its strongest effect.
static bool will_be_answered(const struct course *course, const struct detour *d, const struct reversal *r)
{
    const struct exec *x = course->s.exec;
    if (begins_afresh(x, d, r))
        return false;
    uint32_t lanes[MAX_ACTORS]; // the past that the operation will have
    lanes_copy(&x->clocks, lanes, r->before);
    for (uint32_t i = r->end; i-- > d->start;) {
        const struct event *f = &x->events[i];
        if (i == r->e || (i > r->e && !clock_knows(x, r->past, f)))
            continue;
        if (lanes[f->actor] < f->index && !ops_depend(f->effect, f->object, op_table[r->kind].at_most, r->object))
            continue;
        if (ops_depend(f->effect, f->object, d->instead_effect, d->instead_object))
            return true;
        lanes_join(&x->clocks, lanes, f->clock);
    }
    return false;
}

enum belonging { HERE, ELSEWHERE, DOUBTFUL };

// What course_belongs will say, as far as one detour is concerned, which a greater actor ends.
static __attribute__((noinline)) enum belonging belonging_to(const struct course *course, const struct detour *d,
                                                             const struct reversal *r)
{
    const struct op_info op = op_table[r->kind];
    if (!ops_depend(op.at_most, r->object, d->instead_effect, d->instead_object))
        return HERE;
    const struct event *end = &course->s.exec->events[d->end];
    if (end->effect == EFFECT_WRITE && end->object == d->instead_object && r->object == end->object)
        return HERE; // it depends on the detour's end whatever its effect will be
    if (d->instead_effect == EFFECT_ALL && (op.takes || op.learns))
        return DOUBTFUL; // its past has whatever came before the release or the end that lets it through, no event
    if (will_be_answered(course, d, r))
        return op.varies ? DOUBTFUL : HERE;
    bool depends = !op.varies || ops_depend(EFFECT_READ, r->object, d->instead_effect, d->instead_object);
    return depends ? ELSEWHERE : DOUBTFUL;
}

static enum belonging belonging(const struct course *course, const struct reversal *r)
{
    enum belonging all = HERE;
    for (uint32_t i = course->detour_count; i-- > 0;) { // the newest first: there is less to look at
        if (course->detours[i].end >= r->e || r->actor >= course->detours[i].actor)
            continue;
        enum belonging one = belonging_to(course, &course->detours[i], r);
        if (one == ELSEWHERE)
            return one;
        if (one == DOUBTFUL)
            all = one;
    }
    return all;
}

// Whether a race of event `e` with an operation of this past may be reversed: no detour that ends after `e` ends outside
// the past. (`itself`: the operation's own event, which may be such an end.)
static bool is_reversible(const struct course *course, uint32_t e, clock_id past, uint32_t itself)
{
    const struct event *events = course->s.exec->events;
    const uint32_t *known = clock_lanes(&course->s.exec->clocks, past);
    for (uint32_t i = course->detour_count; i-- > 0;) {
        uint32_t end = course->detours[i].end;
        if (end < e)
            break;
        if (end != itself && known[events[end].actor] < events[end].index)
            return false;
    }
    return e >= course->root;
}

// Keeps `found` in order of depth, so that the next execution shares as much as possible with this one.
static void add_branch(struct course *course, uint32_t *found, struct branch branch)
{
    uint32_t i = (*found)++;
    require_room(i + 1 < BRANCH_LIMIT, owed_room);
    while (i > 0 && course->found[i - 1].from > branch.from) {
        course->found[i] = course->found[i - 1];
        i--;
    }
    course->found[i] = branch;
}

// Owes the branch in which an operation, with its past, comes before the usual event `e` instead of after it.
static void owe_reversal(struct course *course, uint32_t *found, const struct reversal *r)
{
    enum belonging where = belonging(course, r);
    if (where == ELSEWHERE)
        return;
    const struct exec *x = course->s.exec;
    uint32_t steps = course->steps_top;
    require_room(steps + (r->end - r->e) < STEP_LIMIT, owed_room);
    for (uint32_t i = r->e + 1; i < r->end; i++)
        if (clock_knows(x, r->past, &x->events[i]))
            course->steps[course->steps_top++] = (struct plan_step){
                x->events[i].actor, x->events[i].alternative, INSIDE, x->events[i].kind, (uint16_t)x->events[i].object};
    course->steps[course->steps_top++] = (struct plan_step){(uint16_t)r->actor, 0, END, r->kind, (uint16_t)r->object};
    const struct event *d = &x->events[r->e];
    struct detour detour = {.end = r->e + (course->steps_top - steps) - 1,
                            .start = r->e,
                            .actor = r->actor,
                            .instead_actor = d->actor,
                            .instead_object = d->object,
                            .instead_effect = d->effect};
    add_branch(course, found, (struct branch){detour, r->e, steps, where == DOUBTFUL});
}

// Whether a usual event is among those that the event may race with. Where a detour has put all of them in front of it
// there is nothing to reverse.
static bool may_come_earlier(const struct course *course, const struct event *event)
{
    const struct exec *x = course->s.exec;
    uint32_t e = event->conflicts;
    if (event->effect == EFFECT_ALL || (e != NO_EVENT && course->plan[e].standing == USUAL))
        return true;
    while (e != NO_EVENT && course->plan[e].standing != USUAL)
        e = op_table[event->kind].takes ? NO_EVENT : x->events[e].peer;
    return e != NO_EVENT;
}

static void owe_races(struct course *course, uint32_t *found, uint32_t c)
{
    const struct exec *x = course->s.exec;
    const struct event *event = &x->events[c];
    uint32_t n = may_come_earlier(course, event) ? exec_races(x, c, course->races) : 0;
    if (!n)
        return;
    struct reversal r = {.end = c,
                         .actor = event->actor,
                         .kind = event->kind,
                         .object = event->object,
                         .past = event_past(event),
                         .before = event->before};
    for (uint32_t i = 0; i < n; i++) {
        r.e = course->races[i];
        if (course->plan[r.e].standing == USUAL && is_reversible(course, r.e, r.past, c))
            owe_reversal(course, found, &r);
    }
}

static void owe_pending_of(struct course *course, uint32_t *found, uint32_t actor)
{
    const struct exec *x = course->s.exec;
    const struct actor *a = &x->actors[actor];
    if (a->pending.idle)
        return;
    uint32_t e = exec_pending_race(x, actor, course->could_run[actor / 64] >> (actor % 64) & 1);
    if (e == NO_EVENT || course->plan[e].standing != USUAL || !is_reversible(course, e, a->clock, NO_EVENT))
        return;
    owe_reversal(course, found,
                 &(struct reversal){.e = e,
                                    .end = x->count,
                                    .actor = actor,
                                    .kind = a->pending.kind,
                                    .object = a->pending.object,
                                    .past = a->clock,
                                    .before = a->clock});
}

// The operations that actors are left with when nothing can run: they would have gone through had another not taken the
// object, or ended the process, first.
static void owe_pending(struct course *course, uint32_t *found)
{
    const struct exec *x = course->s.exec;
    for (uint32_t word = 0; word * 64 < x->known; word++)
        for (uint64_t bits = x->parked[word]; bits; bits &= bits - 1)
            owe_pending_of(course, found, word * 64 + (uint32_t)__builtin_ctzll(bits));
}

// The other outcomes of an event that had a choice.
static void owe_alternatives(struct course *course, uint32_t *found, uint32_t c)
{
    const struct event *event = &course->s.exec->events[c];
    struct detour detour = {.end = c, .start = c, .instead_actor = NO_EVENT};
    if (course->plan[c].standing == END) { // the same detour, with another outcome
        detour = course->detours[course->detour_count - 1];
        require(detour.end == c);
    }
    require_room(course->steps_top + (uint64_t)event->alternatives < STEP_LIMIT, owed_room);
    for (uint32_t alternative = event->alternatives; --alternative > 0;) {
        course->steps[course->steps_top] =
            (struct plan_step){event->actor, (uint16_t)alternative, END, event->kind, (uint16_t)event->object};
        add_branch(course, found, (struct branch){detour, c, course->steps_top++, false});
    }
}

void course_try(struct course *course, uint32_t depth)
{
    struct target *target = course->s.target;
    target->restart(target, depth);
    for (uint32_t i = depth; i < course->length && as_planned(course, i); i++)
        target->step(target, course->plan[i].actor, course->plan[i].alternative);
}

void course_name_replaced(struct course *course, struct detour *d, uint32_t at)
{
    const struct exec *x = course->s.exec;
    if (d->start != at || d->instead_actor == NO_EVENT)
        return;
    if (!exec_is_parked(x, d->instead_actor))
        settle_all(course);
    d->instead_object = x->actors[d->instead_actor].pending.object;
}

// Objects have other numbers; the kinds of operations are the same.
void course_repeat_step(struct course *course, uint32_t at)
{
    struct target *target = course->s.target;
    const struct plan_step *step = &course->plan[at];
    const struct op *op = &course->s.exec->actors[step->actor].pending;
    before_step(course, step->actor);
    if (step->kind != OP_NONE && op->kind != step->kind && exec_is_parked(course->s.exec, step->actor) &&
        target->surprise)
        target->surprise(target, step->actor, (struct op){.kind = step->kind, .object = step->object});
    if (!target->lost)
        target->step(target, step->actor, step->alternative);
}

uint32_t course_branches(struct course *course)
{
    const struct exec *x = course->s.exec;
    uint32_t found = 0;
    for (uint32_t c = course->fresh; c < x->count; c++) {
        if (course->plan[c].alternative)
            continue; // outcome 0 of the same event owes the same
        if (x->events[c].effect != EFFECT_NONE)
            owe_races(course, &found, c);
        if (x->events[c].alternatives > 1)
            owe_alternatives(course, &found, c);
    }
    owe_pending(course, &found);
    return found;
}

void course_init(struct course *course, struct target *target, const struct strategy_options *options)
{
    uint32_t limit = target->exec->limit + 1;
    course->s.target = target;
    course->s.exec = target->exec;
    course->s.pick = course_pick;
    course->plan = mem_reserve((limit + 1) * sizeof *course->plan);
    course->detours = mem_reserve(limit * sizeof *course->detours);
    course->races = mem_reserve((limit + MAX_ACTORS) * sizeof *course->races);
    course->steps = mem_reserve(STACK_BYTES);
    course->found = mem_reserve(STACK_BYTES);
    course->root = course->length = course->fresh = options->root;
    for (uint32_t i = 0; i < options->root; i++)
        course->plan[i] =
            (struct plan_step){options->prefix[i].actor, options->prefix[i].alternative, INSIDE, OP_NONE, 0};
}

void course_free(struct course *course)
{
    uint32_t limit = course->s.exec->limit + 1;
    mem_release(course->plan, (limit + 1) * sizeof *course->plan);
    mem_release(course->detours, limit * sizeof *course->detours);
    mem_release(course->races, (limit + MAX_ACTORS) * sizeof *course->races);
    mem_release(course->steps, STACK_BYTES);
    mem_release(course->found, STACK_BYTES);
}
