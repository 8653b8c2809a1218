#include "supervise/shrink.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/time.h"
#include "supervise/again.h"
#include "supervise/simplify.h"

// Looks for a run with so few preemptions and steps that fails in the same way, from no preemption up. Returns how many
// numbers of preemptions were completed without one.
static uint32_t search_simpler(const struct subject *subject, struct job *found, struct explanation *e,
                               uint32_t preemptions, uint32_t steps, double seconds)
{
    struct job *job = again_job(found, e);
    job->task.strategy = STRATEGY_BOUNDED;
    job->task.preemptions = preemptions;
    job->task.max_steps = steps ? steps : job->task.max_steps;
    job->task.seconds = seconds;
    again_want(job, e);
    run_job(subject, job, -1);
    if (again_take_same(found, e, job))
        again_count(subject, found, e, &e->preemptions);
    uint32_t completed = job->answer.counts.cut ? 0 : job->answer.account.bounds;
    job_free(job);
    return completed;
}

enum { LONG = 1000, SHORT = 64 };

// Threads that go round for ever may do so a thousand times before they fail, with few preemptions; a run in which they do
// not tells more. Returns how many steps runs may have from here on; 0: as many as they like.
static uint32_t search_shorter(const struct subject *subject, struct job *found, struct explanation *e, double seconds)
{
    uint32_t before = e->bug.steps;
    if (!found->answer.counts.cut)
        return 0;
    for (uint32_t steps = SHORT; before > LONG && steps < before / 4; steps *= 8) {
        search_simpler(subject, found, e, e->preemptions, steps, seconds / 8);
        if (e->bug.steps < before)
            return steps;
    }
    return before;
}

struct shrinking {
    const struct subject *subject;
    struct job *found;
    struct explanation *e;
    double until;
};

static bool time_left(struct simplify *s)
{
    const struct shrinking *shrinking = s->context;
    return time_now() < shrinking->until && !run_interrupted();
}

static void take_up(struct simplify *s, const struct explanation *e)
{
    s->steps = e->steps;
    s->count = again_steps_to(&e->bug, e->steps);
}

static bool shrink_attempt(struct simplify *s, const struct step *steps, uint32_t count)
{
    struct shrinking *shrinking = s->context;
    struct explanation *e = shrinking->e;
    struct job *job = again_job(shrinking->found, e);
    job->task.strategy = STRATEGY_GUIDED;
    again_prefix(job, steps, count);
    again_want(job, e);
    job->task.keep_going = 1;
    job->task.seconds = shrinking->until > time_now() ? shrinking->until - time_now() : 0.001;
    run_job(shrinking->subject, job, -1);
    bool better = job->answer.preemptions_seen < e->preemptions && again_take_same(shrinking->found, e, job);
    if (better) {
        e->preemptions = job->answer.preemptions_seen;
        take_up(s, e);
    }
    job_free(job);
    return better;
}

// Searching finds the fewest where it comes to an end; where the run is too long for that, the run itself is simplified.
// Each turn is a step in `e`.
static void shrink_turns(const struct subject *subject, struct job *found, struct explanation *e, double seconds)
{
    struct shrinking shrinking = {subject, found, e, time_now() + seconds};
    struct simplify simplify = {.attempt = shrink_attempt, .time_left = time_left, .context = &shrinking};
    uint32_t steps = search_shorter(subject, found, e, seconds);
    if (!e->preemptions) {
        e->minimal = true;
        return;
    }
    uint32_t completed = search_simpler(subject, found, e, e->preemptions - 1, steps, seconds / 3);
    e->minimal = e->preemptions <= completed;
    if (e->minimal || !time_left(&simplify))
        return;
    take_up(&simplify, e);
    shrink_attempt(&simplify, simplify.steps, simplify.count);
    simplify_run(&simplify);
    if (e->preemptions > completed && time_left(&simplify)) // now there may be few enough numbers left to be completed
        completed = search_simpler(subject, found, e, e->preemptions - 1, steps, shrinking.until - time_now());
    e->minimal = e->preemptions <= completed;
}

static struct explanation copy_of(const struct explanation *e)
{
    struct explanation copy = *e;
    copy.steps = alloc_array(e->bug.steps, sizeof *copy.steps);
    memcpy(copy.steps, e->steps, e->bug.steps * sizeof *copy.steps);
    return copy;
}

// Runs it once more, by this strategy, and takes over what was run. `major`: without its minor steps.
static bool shrink_rewrite(const struct subject *subject, struct job *found, struct explanation *e,
                           enum strategy_kind strategy, bool major)
{
    struct job *job = again_job(found, e);
    job->task.strategy = strategy;
    job->task.major_steps = major;
    again_prefix(job, e->steps, e->bug.steps);
    again_want(job, e);
    job->task.keep_going = 1;
    job->task.seconds = RUN_SECONDS;
    run_job(subject, job, -1);
    bool same = again_take_same(found, e, job);
    e->preemptions = job->answer.preemptions_seen;
    job_free(job);
    return same;
}

// The run with minor steps as steps of their own, if it is not that already, and its preemptions. False if it does not fail.
static bool shrink_refine(const struct subject *subject, struct job *found, struct explanation *e)
{
    return e->bug.turns ? again_count(subject, found, e, &e->preemptions)
                        : shrink_rewrite(subject, found, e, STRATEGY_REFINED, false);
}

// Whether the run can do without its minor steps, and still has no more preemptions: most can, and are easier to read.
static bool shrink_coarsen(const struct subject *subject, struct job *found, struct explanation *e)
{
    struct explanation plain = copy_of(e);
    uint32_t preemptions;
    bool good = shrink_rewrite(subject, found, &plain, STRATEGY_REPLAY, true) &&
                shrink_rewrite(subject, found, &plain, STRATEGY_GUIDED, false) &&
                again_count(subject, found, &plain, &preemptions) && preemptions <= e->preemptions;
    if (good) {
        plain.preemptions = preemptions;
        free(e->steps);
        *e = plain;
    } else {
        free(plain.steps);
    }
    return good;
}

void shrink_run(const struct subject *subject, struct job *found, struct explanation *e, double seconds)
{
    struct explanation turns = copy_of(e);
    if (!shrink_refine(subject, found, &turns)) { // nothing can be said then
        free(turns.steps);
        return;
    }
    uint32_t before = turns.preemptions;
    shrink_turns(subject, found, &turns, seconds);
    if (turns.preemptions == before && !e->bug.turns && turns.bug.steps) {
        e->preemptions = before;
        e->minimal = turns.minimal;
        free(turns.steps);
        return;
    }
    shrink_coarsen(subject, found, &turns);
    free(e->steps);
    *e = turns;
}

static uint32_t steps_of(uint32_t actor, const struct explanation *e)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < again_steps_to(&e->bug, e->steps); i++)
        n += e->steps[i].actor == actor;
    return n;
}

// Runs these steps as far as they can be followed; false if that does not fail in the same way.
static bool run_guided(const struct subject *subject, struct job *found, struct explanation *e, struct job *job)
{
    job->task.strategy = STRATEGY_GUIDED;
    again_want(job, e);
    job->task.keep_going = 1;
    job->task.seconds = RUN_SECONDS;
    run_job(subject, job, -1);
    bool fails = again_take_same(found, e, job);
    job_free(job);
    return fails;
}

// The run that comes of the one at hand without the steps of this actor; false if it does not fail.
static bool run_without(const struct subject *subject, struct job *found, struct explanation *e, uint32_t actor)
{
    struct job *job = again_job(found, e);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < again_steps_to(&e->bug, e->steps); i++)
        if (e->steps[i].actor != actor)
            job->steps[kept++] = e->steps[i];
    job->task.prefix_steps = kept;
    return run_guided(subject, found, e, job);
}

// It has to fail as early among the failures of its run, with no more preemptions, and with fewer steps of this actor before.
static void try_without(const struct subject *subject, struct job *found, struct explanation *e, uint32_t actor)
{
    struct explanation other = copy_of(e);
    if (run_without(subject, found, &other, actor) && other.bug.follows <= e->bug.follows &&
        steps_of(actor, &other) < steps_of(actor, e) && again_count(subject, found, &other, &other.preemptions) &&
        other.preemptions <= e->preemptions) {
        free(e->steps);
        *e = other;
    } else {
        free(other.steps);
    }
}

void shrink_leave_out(const struct subject *subject, struct job *found, struct explanation *e, double seconds)
{
    double until = time_now() + seconds;
    for (uint32_t actor = found->threads.count; actor-- > 1 && time_now() < until && !run_interrupted();)
        if (actor != e->bug.bug.actor && actor != e->bug.bug.other && steps_of(actor, e))
            try_without(subject, found, e, actor);
}

static uint32_t outcomes_of(const struct explanation *e)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < again_steps_to(&e->bug, e->steps); i++)
        n += e->steps[i].alternative != 0;
    return n;
}

// The same run, but what this step chooses comes out in the first of its ways: a call does not fail, say.
static bool try_usual_outcome(const struct subject *subject, struct job *found, struct explanation *e, uint32_t step)
{
    struct explanation other = copy_of(e);
    struct job *job = again_job(found, e);
    again_prefix(job, e->steps, again_steps_to(&e->bug, e->steps));
    job->steps[step].alternative = 0;
    bool better = run_guided(subject, found, &other, job) && other.bug.follows <= e->bug.follows &&
                  outcomes_of(&other) < outcomes_of(e) && again_count(subject, found, &other, &other.preemptions) &&
                  other.preemptions <= e->preemptions;
    if (better) {
        free(e->steps);
        *e = other;
    } else {
        free(other.steps);
    }
    return better;
}

void shrink_outcomes(const struct subject *subject, struct job *found, struct explanation *e, double seconds)
{
    double until = time_now() + seconds;
    for (uint32_t i = 0; i < again_steps_to(&e->bug, e->steps) && time_now() < until && !run_interrupted(); i++)
        if (e->steps[i].alternative && try_usual_outcome(subject, found, e, i))
            i = UINT32_MAX; // from the beginning: the steps are others
}
