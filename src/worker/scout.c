#include "worker/scout.h"

#include "base/time.h"
#include "target/threads/engine/engine_room.h"
#include "worker/halt.h"
#include "worker/searching.h"

enum {
    FIRST_RUNS = 200,
    FIRST_EVENTS = 200000,
    FIRST_QUIET = 24,  // executions without anything new: there is probably little left
    LONG_RUNS = 12288, // the same for a search by states that is not small, …
    LONG_EVENTS = 1000000,
    LONG_DUE = 5000,      // … which is one of so many events
    DUE_EVENTS = 400000,  // of the search, before the first samples
    LEAST_EVENTS = 50000, // of samples, once they are due
};

static const double first_seconds = 0.5; // a long time for so few executions
static const double long_seconds = 2;    // for far more, on a busy machine
static const double due_seconds = 0.3;
static const double share_if_hopeful = 0.1, share_if_unknown = 4,
                    share_if_hopeless = 10;   // of what the search has taken, …
static const double least_unless_hopeful = 2; // … and so many seconds
static const double patience = 600;           // seconds for a search that there is hope for
static const double no_estimate = 5;          // seconds after which one of which nothing is known may be too large

static bool scout_is_wanted(const struct job *job)
{
    const struct task *t = &job->task;
    return t->scouts && !t->prefix_steps && !t->only_wanted && !t->unless_wanted && !t->bare && !t->real &&
           t->trace_fd < 0 && t->runs_fd < 0;
}

// Ends the samples by their bound on executions: then the strategy has planned the next one and can go on from there.
static bool on_leaf(void *worker, bool whole)
{
    struct worker *w = worker;
    if (!searching_leaf(w, whole))
        return false;
    if (w->search.events >= w->scout.most_events || time_now() >= w->scout.until)
        w->search.max_executions = w->search.executions;
    return true;
}

// All that was run but for the search at hand.
static void count_elsewhere(struct worker *w, const struct search *other)
{
    struct counts *elsewhere = &w->job->answer.elsewhere;
    elsewhere->executions = w->scout.first.executions + other->executions;
    elsewhere->events = w->scout.first.events + other->events;
    elsewhere->cut = w->scout.first.cut + other->cut;
}

// `optimal` would have begun anew (target/threads/pthread/rwlocks.c).
static void see_what_was_learnt(const struct job *job)
{
    if (engine.learnt.shares && !job->learnt.shares &&
        (job->task.strategy == STRATEGY_OPTIMAL || job->task.strategy == STRATEGY_RF))
        engine.again = true;
}

// Runs another search in place of the one at hand. The answer about the search at hand stays as it was, unless the job ended. If it ended
// with a bug, the other search is the one at hand from now on, since the answer is about it.
static void run_aside(struct worker *w, struct search *aside, enum strategy_kind strategy)
{
    struct answer *answer = &w->job->answer;
    const struct search kept = w->search;
    const struct counts counts = answer->counts;
    uint64_t finished = answer->finished, cut_pc = answer->cut_pc;
    uint32_t assumed = answer->assumed, deepest = answer->deepest;
    count_elsewhere(w, &kept);
    answer->found_by = strategy;
    w->search = *aside;
    searching_prepare(w, strategy);
    search_run(&w->search);
    searching_publish(w);
    *aside = w->search;
    if (answer->end == JOB_BUG)
        return;
    w->search = kept;
    searching_prepare(w, w->job->task.strategy);
    see_what_was_learnt(w->job);
    if (answer->end != JOB_RUNNING)
        return;
    answer->found_by = w->job->task.strategy;
    answer->counts = counts;
    answer->finished = finished;
    answer->assumed = assumed;
    answer->cut_pc = cut_pc;
    answer->deepest = deepest;
}

static struct search aside_search(struct worker *w, enum strategy_kind strategy, uint64_t runs, uint32_t quiet,
                                  uint64_t seed)
{
    struct strategy_options options = searching_options(w);
    options.runs = runs;
    options.quiet = quiet;
    options.seed = seed;
    return (struct search){.strategy = strategy_new(strategy, &engine.target, &options),
                           .max_executions = UINT64_MAX,
                           .max_steps = w->job->task.max_steps,
                           .leaf = on_leaf,
                           .context = w};
}

// Fuzzing at the beginning of a search. False if the job has ended by it.
static bool fuzz_aside(struct worker *w, struct search aside)
{
    struct counts *first = &w->scout.first;
    run_aside(w, &aside, STRATEGY_FUZZ);
    if (w->job->answer.end != JOB_RUNNING)
        return false;
    aside.strategy->free(aside.strategy);
    first->executions += aside.executions;
    first->events += aside.events;
    first->cut += aside.cut;
    count_elsewhere(w, &w->scout.samples);
    return true;
}

void scout_first(struct worker *w)
{
    struct scout *s = &w->scout;
    const struct task *task = &w->job->task;
    if (!scout_is_wanted(w->job))
        return;
    *s = (struct scout){.wanted = true,
                        .looks_long = task->scouts_long,
                        .most_events = FIRST_EVENTS,
                        .until = time_now() + first_seconds,
                        .due_events = task->scouts_long ? LONG_DUE : DUE_EVENTS,
                        .due_seconds = due_seconds};
    if (task->executions_before) // the same were run before an earlier search
        return;
    if (fuzz_aside(w, aside_search(w, STRATEGY_FUZZ, FIRST_RUNS, FIRST_QUIET, task->seed)) && !halt_cannot_go_on(w))
        engine.target.restart(&engine.target, 0);
}

// Seconds that the search has taken, without the samples.
static double own_seconds(const struct worker *w)
{
    return time_now() - w->started - w->scout.aside_seconds;
}

double scout_own_work(const struct worker *w)
{
    return time_worked() - w->started_work - w->scout.aside_work;
}

// Asked after every execution, so the clock is looked at once a tick.
bool scout_is_due(void *worker)
{
    struct worker *w = worker;
    struct scout *s = &w->scout;
    if (w->search.events >= s->due_events)
        return true;
    if (engine.ticks == s->tick)
        return false;
    s->tick = engine.ticks;
    return own_seconds(w) >= s->due_seconds;
}

// The share of the time that goes to samples.
static double share_now(const struct job *job, double seconds)
{
    const struct share *known = &job->answer.share;
    // Nothing is known of a search by states, but that they repeat; and a search that will be given up soon needs no samples now.
    if (strategy_table[job->task.strategy].matches_states || (job->task.patient && halt_could_match_states()))
        return share_if_hopeful;
    if (known->likely >= 0)
        return seconds > known->likely * patience ? share_if_hopeless : share_if_hopeful;
    return known->looked > 0 || seconds > no_estimate ? share_if_unknown : share_if_hopeful;
}

// How far the samples may go now. The shares are of all that the search has taken so far.
static void scout_allow(struct worker *w, double own)
{
    struct scout *s = &w->scout;
    double share = share_now(w->job, own), seconds = own * share - s->sampled_seconds;
    bool hopeful = share <= share_if_hopeful;
    s->most_events = hopeful ? (uint64_t)((double)w->search.events * share) + LEAST_EVENTS : UINT64_MAX;
    s->until = time_now() + (!hopeful && seconds < least_unless_hopeful ? least_unless_hopeful : seconds);
    s->due_events = w->search.events * 2;
    s->due_seconds = own * 2;
}

static void note_samples(const struct scout *s, struct sampled *sampled)
{
    *sampled = (struct sampled){.executions = s->samples.executions,
                                .events = s->samples.events,
                                .seconds = s->sampled_seconds,
                                .account = s->samples.strategy->account};
}

// Where a search by states turns out not to be small. Other executions than before it.
static void look_long(struct worker *w)
{
    struct scout *s = &w->scout;
    s->looks_long = false;
    s->most_events = LONG_EVENTS;
    s->until = time_now() + long_seconds;
    s->due_events = DUE_EVENTS;
    fuzz_aside(w, aside_search(w, STRATEGY_FUZZ, LONG_RUNS, 0, ~w->job->task.seed));
}

static void take_samples(struct worker *w)
{
    struct scout *s = &w->scout;
    double began = time_now();
    if (!s->samples.strategy)
        s->samples = aside_search(w, STRATEGY_SAMPLE, UINT64_MAX, 0, w->job->task.seed);
    s->samples.max_executions = UINT64_MAX;
    scout_allow(w, own_seconds(w));
    run_aside(w, &s->samples, STRATEGY_SAMPLE);
    count_elsewhere(w, &s->samples);
    s->sampled_seconds += time_now() - began;
    note_samples(s, &w->job->answer.sampled);
}

bool scout_again(void *worker)
{
    struct worker *w = worker;
    struct scout *s = &w->scout;
    double began = time_now(), work_began = time_worked();
    engine.target.restart(&engine.target, 0);
    if (s->looks_long)
        look_long(w);
    else
        take_samples(w);
    s->aside_seconds += time_now() - began;
    s->aside_work += time_worked() - work_began;
    return w->job->answer.end == JOB_RUNNING && !halt_cannot_go_on(w);
}
