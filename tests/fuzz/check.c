#include "fuzz/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "explore/search.h"
#include "fuzz/check_blocks.h"
#include "fuzz/check_parts.h"
#include "fuzz/check_rf.h"
#include "fuzz/check_states.h"

enum { MOST_STATES = 60000, MOST_DFS = 3000, RANDOM_RUNS = 20, MOST_PREEMPTIONS = 2 };

// One search over one program and what it came across.
struct run {
    struct machine *m;
    struct strategy *strategy;
    struct set outcomes, traces;
    uint64_t executions, finished;
    struct step last[MACHINE_STEPS]; // steps of the last execution
    uint32_t length;
    uint64_t last_trace;
};

static bool on_leaf(void *context, bool whole)
{
    struct run *r = context;
    (void)whole;
    if (!machine_finished(r->m)) // cut off because everything that can run sleeps
        return true;
    r->finished++;
    set_add(&r->outcomes, machine_outcome(r->m));
    set_add(&r->traces, r->m->now.trace);
    r->length = r->m->exec.count;
    r->last_trace = r->m->now.trace;
    for (uint32_t i = 0; i < r->length; i++)
        r->last[i] = (struct step){r->m->exec.events[i].actor, r->m->exec.events[i].alternative};
    return true;
}

// The machine serves one run after the other: a schedule is given in numbers of actors, which are those of one machine.
static enum search_end run_begin(struct run *r, struct machine *m, enum strategy_kind kind,
                                 struct strategy_options options, uint64_t most)
{
    memset(r, 0, sizeof *r);
    r->m = m;
    m->target.restart(&m->target, 0);
    r->strategy = strategy_new(kind, &m->target, &options);
    struct search search = {
        .strategy = r->strategy, .max_executions = most, .max_steps = MACHINE_STEPS, .leaf = on_leaf, .context = r};
    enum search_end end = search_run(&search);
    r->executions = search.executions;
    return end;
}

static void run_end(struct run *r)
{
    r->strategy->free(r->strategy);
    set_free(&r->outcomes);
    set_free(&r->traces);
}

static const struct strategy_options plain = {.preemptions = NO_BOUND};

static const char *check_optimal(struct machine *m, const struct set *outcomes, const struct set *traces, bool exact,
                                 struct tally *tally)
{
    static struct run r;
    const char *wrong = NULL;
    enum search_end end = run_begin(&r, m, STRATEGY_OPTIMAL, plain, traces->count * 20ull + 1000);
    if (end != SEARCH_DONE)
        wrong = "optimal does not come to an end";
    else if (!set_equal(&r.outcomes, outcomes))
        wrong = "optimal misses outcomes";
    else if (!set_equal(&r.traces, traces))
        wrong = "optimal misses traces";
    else if (exact && r.executions != traces->count)
        wrong = "optimal meets a trace twice";
    tally->optimal += r.executions;
    tally->rejected += r.strategy->redundant;
    tally->traces += traces->count;
    run_end(&r);
    return wrong;
}

static const char *check_dpor(struct machine *m, const struct set *outcomes, const struct set *traces,
                              struct tally *tally)
{
    static struct run r;
    const char *wrong = NULL;
    enum search_end end = run_begin(&r, m, STRATEGY_DPOR, plain, traces->count * 200ull + 1000);
    if (end != SEARCH_DONE)
        wrong = "dpor does not come to an end";
    else if (!set_equal(&r.outcomes, outcomes))
        wrong = "dpor misses outcomes";
    else if (!set_equal(&r.traces, traces) || r.finished != traces->count) // sleep sets: no trace to its end twice
        wrong = "dpor misses traces or meets one twice";
    else if (r.executions - r.finished != r.strategy->redundant)
        wrong = "dpor miscounts redundant executions";
    tally->dpor += r.executions;
    tally->blocked += r.strategy->redundant;
    run_end(&r);
    return wrong;
}

static const char *check_dfs(struct machine *m, const struct set *outcomes, struct tally *tally)
{
    static struct run r;
    const char *wrong = NULL;
    bool whole = run_begin(&r, m, STRATEGY_DFS, plain, MOST_DFS) == SEARCH_DONE;
    tally->dfs += whole;
    if (whole && !set_equal(&r.outcomes, outcomes))
        wrong = "dfs misses outcomes";
    run_end(&r);
    return wrong;
}

static const char *check_bounded(struct machine *m, struct tally *tally)
{
    static struct run r;
    const char *wrong = NULL;
    for (uint32_t bound = 0; bound <= MOST_PREEMPTIONS && !wrong; bound++) {
        struct set outcomes = {0};
        m->target.restart(&m->target, 0);
        bool whole = oracle_bounded(m, bound, &outcomes, MOST_STATES);
        struct strategy_options options = {.preemptions = bound};
        bool done = whole && run_begin(&r, m, STRATEGY_DFS, options, MOST_DFS) == SEARCH_DONE;
        tally->bounded += done && bound == MOST_PREEMPTIONS;
        if (done && !set_equal(&r.outcomes, &outcomes))
            wrong = "dfs with bounded preemptions has other outcomes";
        if (whole)
            run_end(&r);
        done = whole && run_begin(&r, m, STRATEGY_BOUNDED, options, MOST_DFS) == SEARCH_DONE;
        if (done && !set_equal(&r.outcomes, &outcomes))
            wrong = "bounded has other outcomes";
        else if (done && r.strategy->account.bounds != NO_BOUND && r.strategy->account.bounds != bound + 1)
            wrong = "bounded miscounts the bounds it has completed";
        if (whole)
            run_end(&r);
        set_free(&outcomes);
    }
    return wrong;
}

// Without a bound it goes on until nothing is left out.
static const char *check_all_bounds(struct machine *m, const struct set *outcomes, struct tally *tally)
{
    static struct run r;
    const char *wrong = NULL;
    if (run_begin(&r, m, STRATEGY_BOUNDED, plain, MOST_DFS) == SEARCH_DONE) {
        tally->all_bounds++;
        if (r.strategy->account.bounds != NO_BOUND)
            wrong = "bounded ends without having covered everything";
        else if (!set_equal(&r.outcomes, outcomes))
            wrong = "bounded misses outcomes";
    }
    run_end(&r);
    return wrong;
}

// Whether two runs of a sampler with one seed end in the same execution.
static bool repeats(struct machine *m, enum strategy_kind kind, struct strategy_options options,
                    const struct run *first)
{
    static struct run again;
    run_begin(&again, m, kind, options, RANDOM_RUNS * 2);
    bool same = again.length == first->length && again.last_trace == first->last_trace;
    run_end(&again);
    return same;
}

// Samples stay within the outcomes, and the last of them can be replayed, whole or as the root of a search that
// then has nothing else to do.
static const char *check_sampling(struct machine *m, enum strategy_kind kind, const struct set *outcomes, uint64_t seed)
{
    static struct run r, again;
    const char *wrong = NULL;
    struct strategy_options options = {.seed = seed, .runs = RANDOM_RUNS, .depth = 3};
    if (run_begin(&r, m, kind, options, RANDOM_RUNS * 2) != SEARCH_DONE || r.finished != RANDOM_RUNS)
        wrong = "a sampler does not run as often as it should";
    else if (!repeats(m, kind, options, &r))
        wrong = "a sampler does not do the same with the same seed";
    for (uint32_t i = 0; i < r.outcomes.limit && !wrong; i++)
        if (r.outcomes.slot[i] && !set_has(outcomes, r.outcomes.slot[i]))
            wrong = "a sampler finds an outcome that is none";
    static const enum strategy_kind kinds[] = {STRATEGY_REPLAY, STRATEGY_DFS, STRATEGY_DPOR, STRATEGY_OPTIMAL,
                                               STRATEGY_BOUNDED};
    for (uint32_t i = 0; i < 5 && !wrong; i++) {
        struct strategy_options whole = {.root = r.length, .prefix = r.last, .preemptions = NO_BOUND};
        if (run_begin(&again, m, kinds[i], whole, 10) != SEARCH_DONE || again.executions != 1 ||
            again.last_trace != r.last_trace)
            wrong = "a schedule does not replay";
        run_end(&again);
    }
    run_end(&r);
    return wrong;
}

// Whether readers share a lock: such programs are not for optimal search (target/threads/pthread/rwlocks.c).
static bool shares(const struct program *p)
{
    for (uint32_t t = 0; t < p->threads; t++)
        for (uint32_t i = 0; i < p->length[t]; i++)
            if (p->code[t][i].code == DO_RDLOCK)
                return true;
    return false;
}

// What dfs, dpor and optimal find below a given beginning must be the same.
static const char *check_root(struct machine *m, uint64_t seed, bool exact, struct tally *tally)
{
    static struct run r, all, other;
    const char *wrong = NULL;
    struct strategy_options options = {.seed = seed, .runs = 1};
    run_begin(&r, m, STRATEGY_RANDOM, options, 2);
    options = (struct strategy_options){.root = r.length / 3, .prefix = r.last, .preemptions = NO_BOUND};
    bool whole = run_begin(&all, m, STRATEGY_DFS, options, MOST_DFS) == SEARCH_DONE;
    tally->rooted += whole;
    for (uint32_t i = 0; whole && i < (shares(m->program) ? 1 : 2) && !wrong; i++) {
        run_begin(&other, m, i ? STRATEGY_OPTIMAL : STRATEGY_DPOR, options, MOST_DFS * 2);
        if (!set_equal(&other.outcomes, &all.outcomes))
            wrong = i ? "optimal misses outcomes below a root" : "dpor misses outcomes below a root";
        else if (i && (!set_equal(&other.traces, &all.traces) || (exact && other.executions != all.traces.count)))
            wrong = "optimal has other traces below a root";
        run_end(&other);
    }
    run_end(&all);
    run_end(&r);
    return wrong;
}

// Samples that interrupt a search.
struct interludes {
    struct run *run;
    struct search samples;
    const struct search *search; // that is interrupted
    uint32_t asked;
};

static bool sampled(void *context, bool whole)
{
    struct interludes *i = context;
    (void)whole;
    if (machine_finished(i->run->m))
        set_add(&i->run->outcomes, machine_outcome(i->run->m));
    return true;
}

static bool on_interrupted_leaf(void *context, bool whole)
{
    return on_leaf(((struct interludes *)context)->run, whole);
}

static bool each_third_time(void *context)
{
    return ((struct interludes *)context)->asked++ % 3 == 0;
}

static double no_time_left(void *unused)
{
    (void)unused;
    return 1;
}

// After the samples an estimate is made, as where the time ends during samples.
static bool sample_some(void *context)
{
    struct interludes *i = context;
    struct strategy *s = i->search->strategy;
    struct estimate estimate = {.done = i->search->executions,
                                .max_steps = MACHINE_STEPS,
                                .planned = i->search->planned,
                                .spent = no_time_left};
    i->samples.max_executions += 5;
    i->run->m->target.restart(&i->run->m->target, 0);
    search_run(&i->samples);
    if (s->estimate)
        s->estimate(s, &estimate);
    return !s->target->lost;
}

// A search that is interrupted by samples again and again covers the same, by as many executions.
static const char *check_interludes(struct machine *m, const struct set *outcomes, const struct set *traces, bool exact)
{
    static struct run r;
    const char *wrong = NULL;
    struct strategy_options samples = {.seed = 1, .runs = UINT64_MAX, .depth = 3};
    struct interludes i = {.run = &r};
    memset(&r, 0, sizeof r);
    r.m = m;
    m->target.restart(&m->target, 0);
    r.strategy = strategy_new(exact ? STRATEGY_OPTIMAL : STRATEGY_DPOR, &m->target, &plain);
    i.samples = (struct search){.strategy = strategy_new(STRATEGY_SAMPLE, &m->target, &samples),
                                .max_steps = MACHINE_STEPS,
                                .leaf = sampled,
                                .context = &i};
    struct search search = {.strategy = r.strategy,
                            .max_executions = traces->count * 200ull + 1000,
                            .max_steps = MACHINE_STEPS,
                            .leaf = on_interrupted_leaf,
                            .interlude_is_due = each_third_time,
                            .interlude = sample_some,
                            .context = &i};
    i.search = &search;
    if (search_run(&search) != SEARCH_DONE)
        wrong = "an interrupted search does not come to an end";
    else if (!set_equal(&r.outcomes, outcomes) || !set_equal(&r.traces, traces) || r.finished != traces->count)
        wrong = "an interrupted search covers something else";
    i.samples.strategy->free(i.samples.strategy);
    run_end(&r);
    return wrong;
}

const char *check_program(const struct program *p, bool exact, uint32_t most_traces, struct tally *tally)
{
    struct set outcomes = {0}, locals = {0}, traces = {0};
    struct machine m;
    machine_init(&m, p);
    const char *wrong = NULL;
    if (program_has(p, DO_BACK)) {
        wrong = check_circles(&m, tally);
    } else if (oracle_outcomes(p, &outcomes, &locals, MOST_STATES) && oracle_traces(&m, &traces, most_traces)) {
        uint64_t seed = hash_bytes(p, sizeof *p);
        tally->programs++;
        wrong = check_dfs(&m, &outcomes, tally);
        wrong = wrong || shares(p) ? wrong : check_optimal(&m, &outcomes, &traces, exact, tally);
        wrong = wrong || shares(p) ? wrong : check_parts(&m, traces.count, seed, tally);
        wrong = wrong || shares(p) ? wrong : check_rf(&m, &locals, seed, tally);
        wrong = wrong ? wrong : check_dpor(&m, &outcomes, &traces, tally);
        wrong = wrong ? wrong : check_stacks(&m, &traces, seed);
        static const enum strategy_kind samplers[] = {STRATEGY_RANDOM, STRATEGY_PCT, STRATEGY_POS, STRATEGY_FUZZ,
                                                      STRATEGY_SAMPLE};
        for (uint32_t i = 0; i < sizeof samplers / sizeof *samplers && !wrong; i++)
            wrong = check_sampling(&m, samplers[i], &outcomes, seed);
        wrong = wrong ? wrong : check_interludes(&m, &outcomes, &traces, exact && !shares(p));
        wrong = wrong ? wrong : check_root(&m, seed, exact, tally);
        wrong = wrong ? wrong : check_bounded(&m, tally);
        wrong = wrong ? wrong : check_blocks(p, &traces, seed, tally);
        wrong = wrong ? wrong : check_all_bounds(&m, &outcomes, tally);
        wrong = wrong ? wrong : check_states(&m, &outcomes, tally);
    } else {
        tally->skipped++;
    }
    machine_free(&m);
    set_free(&outcomes);
    set_free(&locals);
    set_free(&traces);
    return wrong;
}

uint64_t count_optimal(const struct program *p)
{
    static struct run r;
    struct machine m;
    machine_init(&m, p);
    run_begin(&r, &m, STRATEGY_OPTIMAL, plain, 1000000);
    uint64_t executions = r.executions == r.traces.count ? r.executions : 0;
    run_end(&r);
    machine_free(&m);
    return executions;
}
