#include "explore/estimate.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "explore/draw.h"

// A population has FINEST * FINEST cells at most. Finer cells vary less and cost more executions: one pass with cells of half the
// size costs about GROWTH times as many. There should be PASSES of the size that is chosen.
enum { FINEST = 64, COARSEST = 4, PASSES = 6, GROWTH = 2, ARENA = 64 << 20 };

// A plan that stands for its cell.
struct sample {
    double weight; // of all plans of the cell
    uint32_t length, detour_count;
    bool doubtful;
    uint32_t room;  // bytes from `place` on
    uint32_t place; // in the arena: steps, then detours
};

// One generation of plans.
struct population {
    struct sample sample[FINEST * FINEST];
    uint16_t used[FINEST * FINEST]; // cells that are not empty, in the order in which they were first needed
    uint32_t count;
    uint8_t *arena;
    uint32_t top;
};

struct estimator {
    struct course course;
    struct population *now, *next;
    struct estimate *asked;
    owed_plans *owed;
    void *owner;
    struct draw draws;
    uint32_t side, longest, max_steps;
    uint64_t executions; // run for the estimate
    double weight;       // of the plan whose branches are offered
    bool full;           // there is no room, or no time
};

// Passes over the whole tree with cells of one size.
struct passes {
    uint32_t count;
    double sum, squares;
    uint64_t executions;
};

static uint32_t bytes_of(uint32_t steps, uint32_t detours)
{
    return (uint32_t)(steps * sizeof(struct plan_step) + detours * sizeof(struct detour));
}

static struct plan_step *steps_of(const struct population *p, const struct sample *sample)
{
    return (struct plan_step *)(void *)(p->arena + sample->place);
}

static struct detour *detours_of(const struct population *p, const struct sample *sample)
{
    return (struct detour *)(void *)(p->arena + sample->place + bytes_of(sample->length, 0));
}

static uint32_t coarse(const struct estimator *e, uint32_t number)
{
    uint32_t cell = (uint32_t)((uint64_t)number * e->side / (e->longest + 1));
    return e->longest < e->side ? number : cell < e->side ? cell : e->side - 1;
}

static struct sample *cell_of(struct estimator *e, uint32_t usual, uint32_t end)
{
    uint32_t cell = coarse(e, usual) * FINEST + coarse(e, end);
    struct sample *sample = &e->next->sample[cell];
    if (!sample->weight)
        e->next->used[e->next->count++] = (uint16_t)cell;
    return sample;
}

// Room for a plan in the place of the cell's last one.
static bool make_room(struct population *p, struct sample *sample, uint32_t bytes)
{
    if (bytes <= sample->room)
        return true;
    if (p->top + (uint64_t)bytes > ARENA)
        return false;
    sample->place = p->top;
    sample->room = bytes;
    p->top += bytes;
    return true;
}

void estimator_offer(struct estimator *e, const struct plan_step *steps, uint32_t usual, const struct detour *detours,
                     uint32_t detour_count, const struct branch *branch, const struct plan_step *own)
{
    struct sample *sample = cell_of(e, usual, branch->detour.end);
    uint32_t from = branch->from, length = branch->detour.end + 1;
    sample->weight += e->weight;
    if (draw_fraction(&e->draws) * sample->weight >= e->weight)
        return;
    while (detour_count && detours[detour_count - 1].end >= from)
        detour_count--;
    if (!make_room(e->next, sample, bytes_of(length, detour_count + 1))) {
        e->full = true;
        return;
    }
    sample->length = length;
    sample->detour_count = detour_count + 1;
    sample->doubtful = branch->doubtful;
    struct plan_step *plan = steps_of(e->next, sample);
    memcpy(plan, steps, from * sizeof *plan);
    memcpy(plan + from, own, (length - from) * sizeof *plan);
    struct detour *plan_detours = detours_of(e->next, sample);
    memcpy(plan_detours, detours, detour_count * sizeof *detours);
    plan_detours[detour_count] = branch->detour;
}

// How many of the plan's first steps the execution at hand has taken too.
static uint32_t common_steps(const struct exec *x, const struct plan_step *plan, uint32_t length)
{
    uint32_t i = 0;
    while (i < length && i < x->count && x->events[i].actor == plan[i].actor &&
           x->events[i].alternative == plan[i].alternative)
        i++;
    return i;
}

// Runs the plan to the end of its execution; false if it turns out that it does not belong there.
static bool run_plan(struct estimator *e, const struct sample *sample)
{
    struct course *course = &e->course;
    struct target *target = course->s.target;
    uint32_t common = common_steps(target->exec, steps_of(e->now, sample), sample->length - 1);
    memcpy(course->plan, steps_of(e->now, sample), sample->length * sizeof *course->plan);
    memcpy(course->detours, detours_of(e->now, sample), sample->detour_count * sizeof *course->detours);
    course->length = sample->length;
    course->fresh = sample->length - 1;
    course->detour_count = sample->detour_count;
    e->executions++;
    target->restart(target, common);
    struct step step;
    while (!target->lost && target->exec->count < e->max_steps && course_pick(&course->s, &step)) {
        target->step(target, step.actor, step.alternative);
        if (target->exec->count == course->length && sample->doubtful && !course_belongs(course))
            return false;
    }
    return !target->lost;
}

static void offer_branches(struct estimator *e)
{
    struct course *course = &e->course;
    course->steps_top = 0;
    uint32_t found = course_branches(course), usual = 0, at = 0;
    for (uint32_t i = 0; i < found; i++) {
        const struct branch *branch = &course->found[i];
        for (; at < branch->from; at++)
            usual += course->plan[at].standing == USUAL;
        estimator_offer(e, course->plan, usual, course->detours, course->detour_count, branch,
                        course->steps + branch->steps);
    }
    if (course->s.exec->count > e->longest)
        e->longest = course->s.exec->count;
}

static void next_generation(struct estimator *e)
{
    struct population *old = e->now;
    for (uint32_t i = 0; i < old->count; i++)
        old->sample[old->used[i]] = (struct sample){0};
    old->count = old->top = 0;
    e->now = e->next;
    e->next = old;
}

// One pass from the owed plans to the last generation. False if it had to end before.
static bool pass(struct estimator *e, double *size)
{
    e->weight = 1;
    e->owed(e->owner, e);
    next_generation(e);
    for (*size = 0; e->now->count && !e->full; next_generation(e))
        for (uint32_t i = 0; i < e->now->count && !e->full; i++) {
            const struct sample *sample = &e->now->sample[e->now->used[i]];
            bool belongs = run_plan(e, sample);
            if (e->asked->spent(e->asked->context) >= 1 || e->course.s.target->lost)
                e->full = true;
            if (!belongs || e->full)
                continue;
            *size += sample->weight;
            e->weight = sample->weight;
            offer_branches(e);
        }
    next_generation(e); // whatever is left of one that had to end
    next_generation(e);
    return !e->full;
}

static bool add_pass(struct estimator *e, struct passes *passes)
{
    double size;
    uint64_t before = e->executions;
    if (!pass(e, &size))
        return false;
    passes->count++;
    passes->sum += size;
    passes->squares += size * size;
    passes->executions += e->executions - before;
    return true;
}

// (The runtime is linked without libm.)
static double root(double square)
{
    double x = square > 1 ? square : 1;
    for (int i = 0; i < 100; i++)
        x = (x + square / x) / 2;
    return square > 0 ? x : 0;
}

// A mean of few passes tends to be too small: what is large and rare is seldom met. So the range reaches further up, and has no
// end where plans that are not alike share cells.
static void conclude(const struct passes *p, bool fine, struct estimate *estimate)
{
    double mean = p->sum / p->count, variance = p->squares / p->count - mean * mean;
    double error = p->count > 1 ? root(variance / (p->count - 1)) : mean;
    double relative = mean > 0 ? error / mean : 0;
    estimate->total = (double)estimate->done + mean;
    estimate->least = (double)estimate->done + mean / (1.2 + 2 * relative);
    estimate->most = fine ? (double)estimate->done + mean * (1.4 + 4 * relative) : INFINITY;
}

// Passes with ever finer cells, as long as enough passes with the next size fit into what is left of the time; then with the
// same until it is over.
static bool run_passes(struct estimator *e, struct passes *best)
{
    double before = 0;
    *best = (struct passes){0};
    for (e->side = COARSEST; !e->full;) {
        struct passes here = *best;
        if (!add_pass(e, &here))
            break;
        *best = here;
        double after = e->asked->spent(e->asked->context), cost = (after - before) * GROWTH;
        before = after;
        if (after >= 1) // a pass over nothing does not look at the time
            break;
        if (e->side < FINEST && after + cost * PASSES < 1) {
            e->side *= 2;
            *best = (struct passes){0};
        }
    }
    return best->count > 1;
}

static struct population *population_new(void)
{
    struct population *p = mem_reserve(sizeof *p);
    p->arena = mem_reserve(ARENA);
    return p;
}

static void population_free(struct population *p)
{
    mem_release(p->arena, ARENA);
    mem_release(p, sizeof *p);
}

bool estimator_run(struct target *target, const struct strategy_options *options, owed_plans *owed, void *owner,
                   struct estimate *estimate)
{
    struct estimator *e = mem_reserve(sizeof *e);
    struct passes passes;
    course_init(&e->course, target, options);
    e->now = population_new();
    e->next = population_new();
    e->asked = estimate;
    e->owed = owed;
    e->owner = owner;
    e->longest = target->exec->count;
    e->max_steps = estimate->max_steps;
    draw_begin(&e->draws, options->seed, estimate->done);
    bool known = run_passes(e, &passes);
    if (known)
        conclude(&passes, e->longest < e->side, estimate);
    estimate->executions = e->executions;
    population_free(e->now);
    population_free(e->next);
    course_free(&e->course);
    mem_release(e, sizeof *e);
    return known;
}
