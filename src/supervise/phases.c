#include "supervise/phases.h"

#include <string.h>

static void note_phase(const struct job *job, struct phases *phases)
{
    struct report_phase *p = &phases->phase[phases->count++];
    *p = (struct report_phase){.executions = job->executions,
                               .blocked = job->blocked,
                               .events = job->events,
                               .redundant = job->redundant,
                               .cut = job->cut,
                               .depth = job->depth,
                               .max_steps = job->max_steps,
                               .end = job->end,
                               .seconds = job->run_seconds,
                               .share = job->share,
                               .account = job->account};
    p->strategy = job->strategy;
    phases->dropped += job->dropped;
}

static int run_phase(const struct subject *subject, struct job *job, struct phases *phases)
{
    job->share = share_unknown;
    int status = run_job(subject, job, -1);
    note_phase(job, phases);
    return status;
}

static double spent(const struct phases *phases)
{
    double seconds = 0;
    for (size_t i = 0; i < phases->count; i++)
        seconds += phases->phase[i].seconds;
    return seconds;
}

static uint64_t executions(const struct phases *phases)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < phases->count; i++)
        sum += phases->phase[i].executions;
    return sum;
}

// Whether more bugs are of interest: none was found, or all are wanted, or those found are tolerated (any other one would
// have ended the search).
static bool looks_further(const struct job *job)
{
    return (!job->bugs || job->keep_going || (job->ask && job->end != JOB_BUG)) && !run_interrupted();
}

static bool only_samples(const struct job *job)
{
    return strategy_table[job->strategy].samples;
}

// Whether a search came to its end with executions that did not: others may have been left out for that, since what the
// threads would still have done there is not known.
static bool cut_short(const struct job *job)
{
    return job->end == JOB_DONE && job->cut;
}

// Whether there is a point in another phase: the last one neither covered everything nor met something that would stop
// every other one too.
static bool goes_on(const struct job *job)
{
    return (job->end == JOB_TIME || job->end == JOB_TOO_LARGE || cut_short(job) ||
            (job->end == JOB_DONE && only_samples(job))) &&
           looks_further(job);
}

// The next phase takes over the bugs found so far.
static void follow(struct job *job, const struct phases *phases, enum strategy_kind strategy, double seconds,
                   uint64_t most)
{
    job->bugs_before = job->bugs;
    job->steps_before = job->steps_used;
    job->executions_before = executions(phases);
    job->max_executions = most == UINT64_MAX ? most : most - job->executions_before;
    job->seconds = seconds;
    job->hopeless_after = 0;
    job->strategy = strategy;
}

static void add_up(struct job *job, const struct phases *phases)
{
    job->executions = job->blocked = job->events = job->redundant = job->cut = 0;
    job->run_seconds = spent(phases);
    job->dropped = phases->dropped;
    for (size_t i = 0; i < phases->count; i++) {
        const struct report_phase *p = &phases->phase[i];
        job->executions += p->executions;
        job->blocked += p->blocked;
        job->events += p->events;
        job->redundant += p->redundant;
        job->cut += p->cut;
    }
}

// First everything, in the hope that it ends; then samples of two kinds, since they may find a bug at once; then few
// preemptions; and samples again, others, for as long as there is time.
static int run_portfolio(const struct subject *subject, struct job *job, struct phases *phases)
{
    static const struct {
        enum strategy_kind strategy;
        double share; // of the time that is left
    } rest[] = {{STRATEGY_RANDOM, 0.1}, {STRATEGY_PCT, 0.15}, {STRATEGY_BOUNDED, 0.5}, {STRATEGY_PCT, 1}};
    double seconds = job->seconds;
    uint64_t most = job->max_executions;
    job->strategy = STRATEGY_OPTIMAL;
    job->hopeless_after = seconds;
    int status = run_phase(subject, job, phases);
    bool cut = cut_short(job);
    for (size_t i = 0; i < sizeof rest / sizeof *rest && !status && goes_on(job); i++) {
        double left = seconds - spent(phases);
        if (left <= 0 || executions(phases) >= most)
            break;
        follow(job, phases, rest[i].strategy, left * rest[i].share, most);
        job->seed += i;
        status = run_phase(subject, job, phases);
    }
    job->seconds = seconds;
    job->max_executions = most;
    if (cut && job->end == JOB_TIME)
        job->end = JOB_DONE; // more time would not help
    return status;
}

// No bound is given, so everything is to be covered, however long it takes. But a search in order comes late to what needs a
// change early in a run; samples may find that at once. So if the search does not end soon, a moment is taken for them.
static int run_patiently(const struct subject *subject, struct job *job, struct phases *phases)
{
    enum { ENOUGH = 10 }; // seconds for a search that executions without an end have made incomplete
    static const struct {
        enum strategy_kind strategy;
        double seconds;
    } rest[] = {{STRATEGY_RANDOM, 1}, {STRATEGY_PCT, 1}, {STRATEGY_OPTIMAL, 0}};
    job->strategy = STRATEGY_OPTIMAL;
    job->seconds = 3;
    int status = run_phase(subject, job, phases);
    size_t count = sizeof rest / sizeof *rest - cut_short(job); // the search itself has ended then
    bool endless = job->cut; // nothing can be verified any more, and there may be no end
    for (size_t i = 0; i < count && !status && goes_on(job); i++) {
        follow(job, phases, rest[i].strategy, endless && !rest[i].seconds ? ENOUGH : rest[i].seconds, UINT64_MAX);
        status = run_phase(subject, job, phases);
    }
    job->seconds = 0;
    if (phases->count > 1 && (endless || count < sizeof rest / sizeof *rest) && job->end == JOB_TIME)
        job->end = JOB_DONE;
    else if (phases->count > 1 && job->end == JOB_DONE) { // the last one alone has covered everything
        phases->phase[0] = phases->phase[phases->count - 1];
        phases->count = 1;
    }
    return status;
}

// A program that does not do the same each time cannot be searched, since no execution can be continued another way; but
// it can still be sampled, which needs nothing to be repeatable.
static int run_samples(const struct subject *subject, struct job *job, struct phases *phases)
{
    enum { SAMPLES = 1000 };
    double seconds = job->seconds;
    uint64_t most = job->max_executions, done = executions(phases);
    double left = seconds - spent(phases);
    if (done >= most || (seconds > 0 && left <= 0))
        return 0;
    bool samples = only_samples(job);
    job->guard = 0;
    follow(job, phases, samples ? job->strategy : STRATEGY_RANDOM, seconds > 0 ? left : 0,
           samples || most - done < SAMPLES ? most : done + SAMPLES);
    int status = run_phase(subject, job, phases);
    job->seconds = seconds;
    job->max_executions = most;
    return status;
}

int phases_run(const struct subject *subject, struct job *job, struct phases *phases)
{
    bool timed = job->strategy == STRATEGY_PORTFOLIO, patient = job->strategy == STRATEGY_PATIENT;
    int status = (timed ? run_portfolio : patient ? run_patiently : run_phase)(subject, job, phases);
    if (!status && job->end == JOB_DIVERGED && job->difference.kind && looks_further(job))
        status = run_samples(subject, job, phases);
    if (run_interrupted() && (job->end == JOB_TIME || job->end == JOB_TOO_LARGE))
        job->end = JOB_INTERRUPTED; // or there would have been another phase
    if (phases->count > 1)
        add_up(job, phases);
    return status;
}
