// Optimal exploration: exactly one execution for every Mazurkiewicz trace, none cut off half-way, nothing stored about
// what has been explored.
//
// The idea is that of parsimonious optimal DPOR (Abdulla, Atig, Das, Jonsson, Sagonas, CAV 2024): a race (e, c) is
// reversed by running only what c needs, and only from one of the many executions that show it. Here the choice is made
// canonical, so that no sleep sets, wakeup trees or lists of explored schedules are needed at all:
//
//   At a prefix N let d be the usual next event. A trace T that continues N either has d as a minimal event; or it has a
//   set C of first events that depend on d, each with nothing dependent on d in its past. Let c be the one of the least
//   actor in C, and p its past after N. Then T belongs to the branch N·p·c, and to no other. So every trace has exactly
//   one path from the root; a path is made of *usual* events and of *detours* p·c taken instead of a usual event d.
//
//   The detour p·c at N is found in an execution below N·d as a race between d and c. Of all executions below N·d that
//   show this race with this past, exactly one has every later detour's end inside the past of c; only from that one the
//   detour is taken. Hence the three conditions: d was a usual event; no detour that began after it ends outside c's
//   past (both in `owe_races`); and c is not, for an earlier detour on the path, an event of C with a smaller actor than
//   the one that ends that detour (`belongs_here`).
//
//   The third speaks of c as it is in front of d, not as it was seen behind it: a compare-and-swap may succeed in one
//   place and fail in the other, and c's past must be the one it has without d. Mostly that is known beforehand
//   (`belonging`); where it is not, the branch is run up to c to see, before it is run as an execution. `redundant`
//   counts those that were refused then.
//
// A branch is a plan: all steps from the beginning, and which of them are detours. It needs nothing else, so it can be
// run by anybody; the plans that are still owed are a stack whose height is polynomial in the length of an execution
// (each nested detour moves more events into detours, or the same ones further to the front).
//
// Outcomes that the target lets the search choose (which waiter a signal wakes, heddle_choose) are further branches:
// outcome 0 counts as usual, every other one is a detour of its own.
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "base/paths.h"
#include "base/undo.h"
#include "explore/strategy.h"

enum standing { USUAL, INSIDE, END }; // of a step: usual, inside a detour, the end of a detour

struct plan_step {
    uint16_t actor;
    uint16_t alternative;
    uint8_t standing;
    uint8_t kind;    // what the actor is to do, in detours: an operation other than OP_NONE …
    uint16_t object; // … on an object whose number ends so
};

// The end of a detour on the current path.
struct detour {
    uint32_t end;           // position of its last event
    uint32_t start;         // position where it left the usual way
    uint32_t actor;         // of its last event; 0 if it was taken instead of nothing
    uint32_t instead_actor; // the usual event it was taken instead of, or NO_EVENT
    uint32_t instead_object;
    uint32_t instead_effect;
};

// What one finished execution owes: plans that share its steps.
struct branch {
    struct detour detour; // the detour that ends the plan
    uint32_t from;        // position where its own steps begin; those before are the execution's
    uint32_t steps;       // where they stand in `steps`
    bool doubtful;        // whether it belongs here shows only when it is run
};

struct frame {
    double weight;                     // share of the whole search that its execution and branches are taken to be
    uint32_t base;                     // so many of its first steps stand in frames below it, as they are
    uint32_t path;                     // where the execution's own steps, from `base` on, stand in `steps`
    uint32_t known;                    // so many of its first detours stand in frames below it …
    uint32_t detours;                  // … and the others here in `detours`
    uint32_t branches;                 // its first branch
    uint32_t shared;                   // how many of its first steps the current plan has too
    uint32_t steps_mark, detours_mark; // tops of those stacks before this frame
};

struct optimal {
    struct strategy s;
    uint32_t root;
    uint32_t length;                     // steps in the plan of the current execution
    uint32_t fresh;                      // first event that this execution was the first to take in its place
    uint64_t could_run[MAX_ACTORS / 64]; // who could, when the process was about to end
    struct plan_step *plan;              // the current path: planned steps, then usual ones as they happen
    struct detour *path_detours;
    uint32_t path_count;
    // Stacks of what is owed.
    struct plan_step *steps;
    struct detour *detours;
    struct branch *branches;
    struct frame *frames;
    uint32_t steps_top, detours_top, branches_top, frames_top;
    // The estimate of what is done. Of an execution's weight its shallowest branch gets half, the next half of the rest,
    // and so on; the execution itself what remains.
    double weight, done;
    uint32_t *races;
    struct branch *found; // branches of the execution at hand, deepest last
};

enum { STACK_BYTES = 1 << 30, FRAME_LIMIT = 1 << 24 };
enum {
    STEP_LIMIT = STACK_BYTES / sizeof(struct plan_step),
    DETOUR_LIMIT = STACK_BYTES / sizeof(struct detour),
    BRANCH_LIMIT = STACK_BYTES / sizeof(struct branch)
};

static const char owed_room[] = "the executions that are owed (1 GiB)";

static struct optimal *self(struct strategy *s)
{
    return (struct optimal *)s;
}

// Lets everybody go on whom the target left alone; says whether there was somebody.
static bool settle_all(const struct optimal *o)
{
    struct target *target = o->s.target;
    const struct exec *x = o->s.exec;
    bool some = false, more = target->settle;
    while (more && x->live) { // without which there is nobody
        more = false;
        for (const struct actor *a = x->actors; a < x->actors + x->known; a++)
            if (a->state == ACTOR_WAITING)
                more |= target->settle(target, (uint32_t)(a - x->actors));
        some |= more;
    }
    return some;
}

// The step about to be taken ends the process: nobody can run then, and it is too late to ask who could have.
static RARE void before_end(struct optimal *o)
{
    const struct exec *x = o->s.exec;
    settle_all(o);
    memset(o->could_run, 0, sizeof o->could_run);
    for (uint32_t other = 0; other < x->known; other++)
        if (can_run(&o->s, other))
            o->could_run[other / 64] |= 1ull << (other % 64);
}

static IN_PLACE void before_step(struct optimal *o, uint32_t actor)
{
    const struct exec *x = o->s.exec;
    if (unlikely(!exec_is_parked(x, actor)))
        settle_all(o);
    if (unlikely(op_table[x->actors[actor].pending.kind].at_most == EFFECT_ALL))
        before_end(o);
}

// Whether the actor is about to do what it did when the detour was found; it does unless the target is not the same each
// time.
static IN_PLACE bool as_planned(struct optimal *o, uint32_t at)
{
    const struct plan_step *step = &o->plan[at];
    const struct op *op = &o->s.exec->actors[step->actor].pending;
    if (step->kind == OP_NONE || !exec_is_parked(o->s.exec, step->actor) ||
        (op->kind == step->kind && (uint16_t)op->object == step->object))
        return true;
    if (o->s.target->surprise)
        o->s.target->surprise(o->s.target, step->actor, (struct op){.kind = step->kind, .object = step->object});
    return false;
}

// Right after the plan what its detour replaced comes first: everything that depends on it then comes after it.
// -1 if there is no such actor, or it cannot run.
static int replaced_actor(struct optimal *o)
{
    const struct strategy *s = &o->s;
    if (!o->path_count || o->path_detours[o->path_count - 1].end + 1 != o->length)
        return -1;
    uint32_t instead = o->path_detours[o->path_count - 1].instead_actor;
    bool can = instead != NO_EVENT && (can_run(s, instead) || (settle_all(o) && can_run(s, instead)));
    return can ? (int)instead : -1;
}

static bool optimal_pick(struct strategy *s, struct step *next)
{
    struct optimal *o = self(s);
    uint32_t at = s->exec->count;
    if (at < o->length) {
        before_step(o, o->plan[at].actor);
        if (!as_planned(o, at))
            return false;
        *next = (struct step){o->plan[at].actor, o->plan[at].alternative};
        return true;
    }
    int actor = at == o->length ? replaced_actor(o) : -1;
    if (actor < 0)
        actor = usual_choice(s);
    if (actor < 0 && settle_all(o))
        actor = usual_choice(s);
    if (actor < 0)
        return false;
    before_step(o, (uint32_t)actor);
    o->plan[at] = (struct plan_step){(uint16_t)actor, 0, USUAL, OP_NONE, 0};
    *next = (struct step){(uint16_t)actor, 0};
    return true;
}

// Whether the past of `event` has something, since the detour began, that depends on what the detour replaced.
static bool answered(const struct optimal *o, const struct detour *d, uint32_t event)
{
    const struct exec *x = o->s.exec;
    clock_id past = x->events[event].clock;
    for (uint32_t i = d->start; i < event; i++) {
        const struct event *f = &x->events[i];
        if (clock_knows(x, past, f) && ops_depend(f->effect, f->object, d->instead_effect, d->instead_object))
            return true;
    }
    return false;
}

// Whether the branch whose plan has just been carried out is the place for its traces, or they belong to a branch of a
// smaller actor at one of the detours before. Only now it is known: an operation may have another effect than it had
// after the event it was put in front of.
static bool belongs_here(const struct optimal *o)
{
    uint32_t c = o->length - 1;
    const struct event *event = &o->s.exec->events[c];
    for (uint32_t i = 0; i + 1 < o->path_count; i++) {
        const struct detour *d = &o->path_detours[i];
        if (event->actor < d->actor &&
            ops_depend(event->effect, event->object, d->instead_effect, d->instead_object) && !answered(o, d, c))
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
static bool will_be_answered(const struct optimal *o, const struct detour *d, const struct reversal *r)
{
    const struct exec *x = o->s.exec;
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

// What belongs_here will say, as far as one detour is concerned, which a greater actor ends.
static __attribute__((noinline)) enum belonging belonging_to(const struct optimal *o, const struct detour *d, const struct reversal *r)
{
    const struct op_info op = op_table[r->kind];
    if (!ops_depend(op.at_most, r->object, d->instead_effect, d->instead_object))
        return HERE;
    const struct event *end = &o->s.exec->events[d->end];
    if (end->effect == EFFECT_WRITE && end->object == d->instead_object && r->object == end->object)
        return HERE; // it depends on the detour's end whatever its effect will be
    if (d->instead_effect == EFFECT_ALL && (op.takes || op.learns))
        return DOUBTFUL; // its past has whatever came before the release or the end that lets it through, no event
    if (will_be_answered(o, d, r))
        return op.varies ? DOUBTFUL : HERE;
    bool depends = !op.varies || ops_depend(EFFECT_READ, r->object, d->instead_effect, d->instead_object);
    return depends ? ELSEWHERE : DOUBTFUL;
}

static enum belonging belonging(const struct optimal *o, const struct reversal *r)
{
    enum belonging all = HERE;
    for (uint32_t i = o->path_count; i-- > 0;) { // the newest first: there is less to look at
        if (o->path_detours[i].end >= r->e || r->actor >= o->path_detours[i].actor)
            continue;
        enum belonging one = belonging_to(o, &o->path_detours[i], r);
        if (one == ELSEWHERE)
            return one;
        if (one == DOUBTFUL)
            all = one;
    }
    return all;
}

// Whether a race of event `e` with an operation of this past may be reversed: no detour that ends after `e` ends outside
// the past. (`itself`: the operation's own event, which may be such an end.)
static bool is_reversible(const struct optimal *o, uint32_t e, clock_id past, uint32_t itself)
{
    const struct event *events = o->s.exec->events;
    const uint32_t *known = clock_lanes(&o->s.exec->clocks, past);
    for (uint32_t i = o->path_count; i-- > 0;) {
        uint32_t end = o->path_detours[i].end;
        if (end < e)
            break;
        if (end != itself && known[events[end].actor] < events[end].index)
            return false;
    }
    return e >= o->root;
}

// Keeps `found` in order of depth, so that the next execution shares as much as possible with this one.
static void add_branch(struct optimal *o, uint32_t *found, struct branch branch)
{
    uint32_t i = (*found)++;
    require_room(o->branches_top + i + 1 < BRANCH_LIMIT, owed_room);
    while (i > 0 && o->found[i - 1].from > branch.from) {
        o->found[i] = o->found[i - 1];
        i--;
    }
    o->found[i] = branch;
}

// Owes the branch in which an operation, with its past, comes before the usual event `e` instead of after it.
static void owe_reversal(struct optimal *o, uint32_t *found, const struct reversal *r)
{
    enum belonging where = belonging(o, r);
    if (where == ELSEWHERE)
        return;
    const struct exec *x = o->s.exec;
    uint32_t steps = o->steps_top;
    require_room(steps + (r->end - r->e) < STEP_LIMIT, owed_room);
    for (uint32_t i = r->e + 1; i < r->end; i++)
        if (clock_knows(x, r->past, &x->events[i]))
            o->steps[o->steps_top++] = (struct plan_step){x->events[i].actor, x->events[i].alternative, INSIDE,
                                                          x->events[i].kind, (uint16_t)x->events[i].object};
    o->steps[o->steps_top++] = (struct plan_step){(uint16_t)r->actor, 0, END, r->kind, (uint16_t)r->object};
    const struct event *d = &x->events[r->e];
    struct detour detour = {.end = r->e + (o->steps_top - steps) - 1,
                            .start = r->e,
                            .actor = r->actor,
                            .instead_actor = d->actor,
                            .instead_object = d->object,
                            .instead_effect = d->effect};
    add_branch(o, found, (struct branch){detour, r->e, steps, where == DOUBTFUL});
}

// Whether a usual event is among those that the event may race with. Where a detour has put all of them in front of it
// there is nothing to reverse.
static bool may_come_earlier(const struct optimal *o, const struct event *event)
{
    const struct exec *x = o->s.exec;
    uint32_t e = event->conflicts;
    if (event->effect == EFFECT_ALL || (e != NO_EVENT && o->plan[e].standing == USUAL))
        return true;
    while (e != NO_EVENT && o->plan[e].standing != USUAL)
        e = op_table[event->kind].takes ? NO_EVENT : x->events[e].peer;
    return e != NO_EVENT;
}

static void owe_races(struct optimal *o, uint32_t *found, uint32_t c)
{
    const struct exec *x = o->s.exec;
    const struct event *event = &x->events[c];
    uint32_t n = may_come_earlier(o, event) ? exec_races(x, c, o->races) : 0;
    if (!n)
        return;
    struct reversal r = {.end = c,
                         .actor = event->actor,
                         .kind = event->kind,
                         .object = event->object,
                         .past = event_past(event),
                         .before = event->before};
    for (uint32_t i = 0; i < n; i++) {
        r.e = o->races[i];
        if (o->plan[r.e].standing == USUAL && is_reversible(o, r.e, r.past, c))
            owe_reversal(o, found, &r);
    }
}

static void owe_pending_of(struct optimal *o, uint32_t *found, uint32_t actor)
{
    const struct exec *x = o->s.exec;
    const struct actor *a = &x->actors[actor];
    if (a->pending.idle)
        return;
    uint32_t e = exec_pending_race(x, actor, o->could_run[actor / 64] >> (actor % 64) & 1);
    if (e == NO_EVENT || o->plan[e].standing != USUAL || !is_reversible(o, e, a->clock, NO_EVENT))
        return;
    owe_reversal(o, found,
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
static void owe_pending(struct optimal *o, uint32_t *found)
{
    const struct exec *x = o->s.exec;
    for (uint32_t word = 0; word * 64 < x->known; word++)
        for (uint64_t bits = x->parked[word]; bits; bits &= bits - 1)
            owe_pending_of(o, found, word * 64 + (uint32_t)__builtin_ctzll(bits));
}

// The other outcomes of an event that had a choice.
static void owe_alternatives(struct optimal *o, uint32_t *found, uint32_t c)
{
    const struct event *event = &o->s.exec->events[c];
    struct detour detour = {.end = c, .start = c, .instead_actor = NO_EVENT};
    if (o->plan[c].standing == END) { // the same detour, with another outcome
        detour = o->path_detours[o->path_count - 1];
        require(detour.end == c);
    }
    require_room(o->steps_top + (uint64_t)event->alternatives < STEP_LIMIT, owed_room);
    for (uint32_t alternative = event->alternatives; --alternative > 0;) {
        o->steps[o->steps_top] =
            (struct plan_step){event->actor, (uint16_t)alternative, END, event->kind, (uint16_t)event->object};
        add_branch(o, found, (struct branch){detour, c, o->steps_top++, false});
    }
}

static double halved(uint32_t times)
{
    union {
        uint64_t bits;
        double value;
    } power = {.bits = (uint64_t)(1023 - times) << 52}; // of two: its exponent, and nothing else
    return times < 64 ? power.value : 0;
}

// The stacks have room for what rounding up to whole lanes copies too many.
static void copy_steps(struct plan_step *to, const struct plan_step *from, uint32_t steps)
{
    copy_lanes((uint8_t *)to, (const uint8_t *)from, (steps * sizeof *from + 15) & ~(size_t)15);
}

// Collects what this execution owes and keeps it with a copy of its path.
static void owe(struct optimal *o)
{
    const struct exec *x = o->s.exec;
    uint32_t steps_mark = o->steps_top, detours_mark = o->detours_top, found = 0;
    for (uint32_t c = o->fresh; c < x->count; c++) {
        if (o->plan[c].alternative)
            continue; // outcome 0 of the same event owes the same
        if (x->events[c].effect != EFFECT_NONE)
            owe_races(o, &found, c);
        if (x->events[c].alternatives > 1)
            owe_alternatives(o, &found, c);
    }
    owe_pending(o, &found);
    o->done += o->weight * halved(found);
    if (!found)
        return;
    uint32_t base = o->frames_top ? o->frames[o->frames_top - 1].shared : 0, known = 0;
    while (known < o->path_count && o->path_detours[known].end < base)
        known++;
    require_room(o->frames_top < FRAME_LIMIT && o->steps_top + (x->count - base) + 2 < STEP_LIMIT &&
                     o->detours_top + (o->path_count - known) + 2 < DETOUR_LIMIT, owed_room);
    struct frame *frame = &o->frames[o->frames_top++];
    *frame = (struct frame){.weight = o->weight,
                            .base = base,
                            .path = o->steps_top,
                            .known = known,
                            .detours = o->detours_top,
                            .branches = o->branches_top,
                            .shared = x->count,
                            .steps_mark = steps_mark,
                            .detours_mark = detours_mark};
    copy_steps(o->steps + o->steps_top, o->plan + base, x->count - base);
    o->steps_top += x->count - base;
    copy_lanes((uint8_t *)(o->detours + o->detours_top), (const uint8_t *)(o->path_detours + known),
               ((o->path_count - known) * sizeof *o->detours + 15) & ~(size_t)15);
    o->detours_top += o->path_count - known;
    for (uint32_t i = 0; i < found; i++)
        o->branches[o->branches_top++] = o->found[i];
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// The frame has no branches left; the current plan has the first `shared` steps of its execution.
static void pop_frame(struct optimal *o, uint32_t shared)
{
    struct frame *frame = &o->frames[--o->frames_top];
    o->steps_top = frame->steps_mark;
    o->detours_top = frame->detours_mark;
    if (o->frames_top)
        frame[-1].shared = least(frame[-1].shared, shared);
}

// The steps of the newest frame's execution from `start` to `end` become those of the plan. What stands in frames below comes
// last: it must not be overwritten by what is copied too many.
static void take_steps(struct optimal *o, uint32_t start, uint32_t end)
{
    const struct frame *frame = &o->frames[o->frames_top - 1];
    uint32_t from = frame->base > start ? frame->base : start;
    if (from < end)
        copy_steps(o->plan + from, o->steps + frame->path + (from - frame->base), end - from);
    for (end = least(end, from); start < end; end = least(end, from)) {
        frame--;
        from = frame->base > start ? frame->base : start;
        for (uint32_t i = from; i < end; i++)
            o->plan[i] = o->steps[frame->path + (i - frame->base)];
    }
}

// The same for its detours: those that the path does not have yet and that end before `from`.
static void take_detours(struct optimal *o, uint32_t from)
{
    const struct frame *frame = &o->frames[o->frames_top - 1];
    uint32_t end = frame->known + (o->detours_top - frame->detours), count = o->path_count;
    for (; end > o->path_count; frame--) {
        const struct detour *detours = o->detours + frame->detours;
        uint32_t first = frame->known > o->path_count ? frame->known : o->path_count;
        while (end > first && detours[end - 1 - frame->known].end >= from)
            end--;
        if (end > first && end > count)
            count = end; // those in frames below end earlier
        for (uint32_t i = first; i < end; i++)
            o->path_detours[i] = detours[i - frame->known];
        end = least(end, first);
    }
    o->path_count = count;
}

// Makes the newest owed branch the plan; says how many of its first steps the current path has too. Returns whether it is
// doubtful.
static bool take_branch(struct optimal *o, uint32_t *depth)
{
    struct frame *frame = &o->frames[o->frames_top - 1];
    struct branch *branch = &o->branches[--o->branches_top];
    uint32_t from = branch->from, end = branch->detour.end;
    uint32_t common = least(frame->shared, from);
    o->weight = frame->weight * halved(o->branches_top - frame->branches + 1);
    take_steps(o, common, from);
    copy_steps(o->plan + from, o->steps + branch->steps, end + 1 - from);
    o->path_count = least(o->path_count, frame->known + (o->detours_top - frame->detours));
    while (o->path_count && o->path_detours[o->path_count - 1].end >= common)
        o->path_count--; // those before are the same
    take_detours(o, from);
    o->path_detours[o->path_count++] = branch->detour;
    o->length = end + 1;
    o->fresh = end;
    *depth = common;
    frame->shared = from;
    if (o->branches_top == frame->branches)
        pop_frame(o, from);
    return branch->doubtful;
}

static void try_plan(struct optimal *o, uint32_t depth)
{
    struct target *target = o->s.target;
    target->restart(target, depth);
    for (uint32_t i = depth; i < o->length && as_planned(o, i); i++)
        target->step(target, o->plan[i].actor, o->plan[i].alternative);
}

static bool optimal_next(struct strategy *s, uint32_t *depth)
{
    struct optimal *o = self(s);
    owe(o);
    while (o->frames_top) {
        if (!take_branch(o, depth))
            return true;
        try_plan(o, *depth);
        if (belongs_here(o))
            return true;
        s->redundant++;
        o->done += o->weight;
    }
    return false;
}

static double optimal_share(const struct strategy *s)
{
    return ((const struct optimal *)s)->done;
}

static void optimal_free(struct strategy *s)
{
    struct optimal *o = self(s);
    uint32_t limit = s->exec->limit + 1;
    mem_release(o->plan, (limit + 1) * sizeof *o->plan);
    mem_release(o->path_detours, limit * sizeof *o->path_detours);
    mem_release(o->races, (limit + MAX_ACTORS) * sizeof *o->races);
    mem_release(o->steps, STACK_BYTES);
    mem_release(o->detours, STACK_BYTES);
    mem_release(o->branches, STACK_BYTES);
    mem_release(o->found, STACK_BYTES);
    mem_release(o->frames, FRAME_LIMIT * sizeof *o->frames);
    mem_release(o, sizeof *o);
}

struct strategy *optimal_new(struct target *target, const struct strategy_options *options)
{
    struct optimal *o = mem_reserve(sizeof *o);
    uint32_t limit = target->exec->limit + 1;
    o->s = (struct strategy){.name = "optimal",
                             .target = target,
                             .exec = target->exec,
                             .pick = optimal_pick,
                             .next = optimal_next,
                             .free = optimal_free,
                             .share = optimal_share};
    o->weight = 1;
    o->plan = mem_reserve((limit + 1) * sizeof *o->plan);
    o->path_detours = mem_reserve(limit * sizeof *o->path_detours);
    o->races = mem_reserve((limit + MAX_ACTORS) * sizeof *o->races);
    o->steps = mem_reserve(STACK_BYTES);
    o->detours = mem_reserve(STACK_BYTES);
    o->branches = mem_reserve(STACK_BYTES);
    o->found = mem_reserve(STACK_BYTES);
    o->frames = mem_reserve(FRAME_LIMIT * sizeof *o->frames);
    o->root = o->length = o->fresh = options->root;
    for (uint32_t i = 0; i < options->root; i++)
        o->plan[i] = (struct plan_step){options->prefix[i].actor, options->prefix[i].alternative, INSIDE, OP_NONE, 0};
    return &o->s;
}
