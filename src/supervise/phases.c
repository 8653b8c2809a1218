#include "supervise/phases.h"

#include <string.h>

// Executions that samples ran before the search and in between. A search that covered everything did so without them.
static void note_elsewhere(const struct answer *answer, struct report_phase *p, struct phases *phases)
{
    const struct sampled *sampled = &answer->sampled;
    p->counts.executions += answer->elsewhere.executions;
    p->counts.events += answer->elsewhere.events;
    p->counts.cut += answer->elsewhere.cut;
    if (answer->end == JOB_BUG)
        p->strategy = answer->found_by;
    if (answer->end == JOB_BUG || !sampled->executions)
        return;
    p->counts.executions -= sampled->executions;
    p->counts.events -= sampled->events;
    p->seconds -= sampled->seconds;
    struct report_phase *samples = &phases->phase[phases->count++];
    *samples = (struct report_phase){.strategy = STRATEGY_SAMPLE,
                                     .counts = {.executions = sampled->executions, .events = sampled->events},
                                     .depth = p->depth,
                                     .max_steps = p->max_steps,
                                     .end = JOB_TIME,
                                     .seconds = sampled->seconds,
                                     .share = share_unknown,
                                     .account = sampled->account};
}

// Executions that looked around at the beginning. Where one of them found a bug they are the phase themselves.
static uint64_t scouts_of(const struct answer *answer)
{
    return answer->end == JOB_BUG ? 0 : answer->elsewhere.executions - answer->sampled.executions;
}

static void note_phase(const struct job *job, struct phases *phases)
{
    struct report_phase *p = &phases->phase[phases->count++];
    *p = (struct report_phase){.strategy = job->task.strategy,
                               .counts = job->answer.counts,
                               .depth = job->task.depth,
                               .longest = job->answer.deepest,
                               .max_steps = job->task.max_steps,
                               .end = job->answer.end,
                               .seconds = job->answer.run_seconds,
                               .share = job->answer.share,
                               .account = job->answer.account,
                               .scouts = scouts_of(&job->answer),
                               .crowd = job->answer.crowd,
                               .unknown_states = job->task.only_states && !job->answer.counts.executions};
    if (job->answer.end != JOB_DONE)
        note_elsewhere(&job->answer, p, phases);
    phases->dropped += job->answer.dropped;
}

static int run_phase(const struct subject *subject, struct job *job, struct phases *phases)
{
    job->answer.share = share_unknown;
    int status = run_job(subject, job, -1);
    note_phase(job, phases);
    return status;
}

static double phases_spent(const struct phases *phases)
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
        sum += phases->phase[i].counts.executions;
    return sum;
}

// Whether more bugs are of interest: none was found, or all are wanted, or those found are tolerated (any other one would
// have ended the search).
static bool looks_further(const struct job *job)
{
    return (!job->answer.bugs || job->task.keep_going || (job->task.ask && job->answer.end != JOB_BUG)) &&
           !run_interrupted();
}

static bool only_samples(const struct job *job)
{
    return strategy_table[job->task.strategy].samples;
}

// Whether an execution was cut so far, of a search or of samples.
static bool has_cut(const struct phases *phases)
{
    for (size_t i = 0; i < phases->count; i++)
        if (phases->phase[i].counts.cut)
            return true;
    return false;
}

// Whether a search ended, but cut some of its executions. It may have left others out, because it does not know what the
// threads would have done after the cut.
static bool cut_short(const struct job *job)
{
    return job->answer.end == JOB_DONE && job->answer.counts.cut;
}

// Whether there is a point in another phase: the last one neither covered everything nor met something that would stop
// every other one too.
static bool goes_on(const struct job *job)
{
    return (job->answer.end == JOB_TIME || job->answer.end == JOB_TOO_LARGE || cut_short(job) ||
            (job->answer.end == JOB_DONE && only_samples(job))) &&
           looks_further(job);
}

// The next phase takes over the bugs found so far.
static void phases_follow(struct job *job, const struct phases *phases, enum strategy_kind strategy, double seconds,
                          uint64_t most)
{
    job->answer.deepest = 0;
    job->task.bugs_before = job->answer.bugs;
    job->task.steps_before = job->steps_used;
    job->task.executions_before = executions(phases);
    job->task.max_executions = most == UINT64_MAX ? most : most - job->task.executions_before;
    job->task.seconds = seconds;
    job->task.crowd_after = 0;
    job->task.hopeless_after = 0;
    job->task.scouts = job->task.scouts_long = 0;
    job->task.seconds_if_cut = 0;
    job->task.strategy = strategy;
    job->task.only_states = 0;
    job->task.repeats_after = 0;
    job->task.instead_of = 0;
    job->task.patient = 0;
    job->answer.strategy_changed = CHANGED_NOT;
    job->answer.crowd = 0;
}

// How long a search by states may take.
struct patience {
    double seconds; // in all; 0: no bound
    double look;    // if states do not repeat by then it is given up
    double instead; // the time that executions would take; 0: that does not matter
    double if_cut;  // bound on the time if some execution is cut; 0: none
    uint64_t crowd; // it is left after so many executions of a crowd; 0: not for that
    bool scouts;
};

// Where executions are too many, or have no end, states may be few. An execution may be as long as a way through them.
static int run_states(const struct subject *subject, struct job *job, struct phases *phases,
                      const struct patience *patience, uint64_t most)
{
    uint32_t max_steps = job->task.max_steps;
    bool endless = has_cut(phases);
    phases_follow(job, phases, STRATEGY_DLSPOR, patience->seconds, most);
    job->task.max_steps = job->task.most_steps ? job->task.most_steps : max_steps;
    job->task.only_states = 1;
    job->task.crowd_after = patience->crowd;
    job->task.repeats_after = patience->look;
    job->task.instead_of = patience->instead;
    job->task.patient = patience->instead > 0;
    job->task.seconds_if_cut = patience->if_cut;
    job->task.scouts = patience->scouts;
    job->task.scouts_long = patience->scouts && !phases->looked_long;
    phases->looked_long |= patience->scouts;
    int status = run_phase(subject, job, phases);
    job->task.max_steps = max_steps;
    job->answer.strategy_changed = endless ? CHANGED_ENDLESS : CHANGED_LONG;
    return status;
}

// States are known only where executions go back by undo, and nobody compares all memory.
static bool may_match(const struct job *job)
{
    return job->task.rules.restart == RESTART_AUTO || job->task.rules.restart == RESTART_UNDO;
}

static bool has_covered_all(const struct job *job)
{
    return job->answer.end == JOB_DONE && !job->answer.counts.cut && !only_samples(job);
}

// The last phase alone has covered everything. The others count for the time, and for nothing else.
static void only_the_last(struct phases *phases)
{
    phases->first = phases->count - 1;
}

static void add_up(struct job *job, const struct phases *phases)
{
    struct counts *sum = &job->answer.counts;
    *sum = (struct counts){0};
    job->answer.run_seconds = phases_spent(phases);
    job->answer.dropped = phases->dropped;
    for (size_t i = phases->first; i < phases->count; i++) {
        if (phases->phase[i].longest > job->answer.deepest)
            job->answer.deepest = phases->phase[i].longest;
        const struct counts *counts = &phases->phase[i].counts;
        sum->executions += counts->executions;
        sum->blocked += counts->blocked;
        sum->events += counts->events;
        sum->redundant += counts->redundant;
        sum->cut += counts->cut;
    }
}

// Executions again, after states were tried.
static int run_executions_again(const struct subject *subject, struct job *job, struct phases *phases)
{
    bool unknown = phases->phase[phases->count - 1].unknown_states;
    int status = run_phase(subject, job, phases);
    if (job->answer.strategy_changed == CHANGED_NOT)
        job->answer.strategy_changed = unknown ? CHANGED_UNKNOWN : CHANGED_BACK;
    return status;
}

// The states of a crowd, for a moment.
static int run_crowd(const struct subject *subject, struct job *job, struct phases *phases, const struct task *task,
                     uint64_t executions_at_most)
{
    const double half = 0.5; // a second
    const struct patience moment = {.seconds = task->patient ? 0 : half,
                                    .instead = task->patient ? half : 0,
                                    .look = 0.05,
                                    .crowd = executions_at_most,
                                    .scouts = task->patient && !executions_at_most};
    int status = run_states(subject, job, phases, &moment, task->max_executions);
    job->answer.strategy_changed = CHANGED_CROWD;
    return status;
}

// The first search of executions. Where threads run one function it stops early, and their states, which may be few, are tried
// for a moment: if these do not come to an end it begins again, stops later, and states get a longer moment.
static int run_executions(const struct subject *subject, struct job *job, struct phases *phases)
{
    static const struct {
        uint64_t executions, of_states; // 0: as many as there is time for
    } turns[] = {{2000, 2000}, {40000, 0}};
    enum { TURNS = sizeof turns / sizeof *turns };
    const struct task task = job->task;
    const double half = 0.5;        // a second
    const double worth_while = 0.7; // of the time has to be left, or nothing is begun again
    const double again = 4;         // times as long, before states are tried once more
    bool hurries = task.seconds > 0 && task.seconds / 10 < half; // then states come soon enough
    bool waits = !hurries && may_match(job) && task.symmetry != SYMMETRY_OFF && !task.audit_states;
    job->task.crowd_after = waits ? turns[0].executions : 0;
    int status = run_phase(subject, job, phases);
    for (size_t turn = 0; !status && job->answer.crowd && goes_on(job); turn++) {
        bool last = turn + 1 == TURNS;
        status = run_crowd(subject, job, phases, &task, turns[turn].of_states);
        if (status || !goes_on(job))
            return status;
        double left = task.seconds > 0 ? task.seconds - phases_spent(phases) : 0;
        if (left < task.seconds * worth_while)
            return 0; // the rest is for what follows
        phases_follow(job, phases, STRATEGY_OPTIMAL, left, task.max_executions);
        job->task.crowd_after = last ? 0 : turns[turn + 1].executions;
        job->task.hopeless_after = task.patient ? task.hopeless_after * (last ? again : 1) : left;
        job->task.scouts = task.scouts;
        job->task.seconds_if_cut = task.seconds_if_cut;
        job->task.patient = task.patient;
        status = run_executions_again(subject, job, phases);
    }
    return status;
}

// First everything, in the hope that it ends; then samples, since they may find a bug at once; then states, which may be few; then
// few preemptions; and samples again, others, for as long as there is time.
static int run_portfolio(const struct subject *subject, struct job *job, struct phases *phases)
{
    static const struct {
        enum strategy_kind strategy;
        double share; // of the time that is left
    } rest[] = {{STRATEGY_SAMPLE, 0.15}, {STRATEGY_DLSPOR, 0.6}, {STRATEGY_BOUNDED, 0.5}, {STRATEGY_SAMPLE, 1}};
    const double look = 0.1, others = 0.3; // of all the time, for states, and for what comes after them
    double seconds = job->task.seconds;
    uint64_t most = job->task.max_executions;
    job->task.strategy = STRATEGY_OPTIMAL;
    job->task.hopeless_after = seconds;
    job->task.scouts = most == UINT64_MAX;
    int status = run_executions(subject, job, phases);
    bool cut = cut_short(job);
    for (size_t i = 0; i < sizeof rest / sizeof *rest && !status && goes_on(job); i++) {
        double left = seconds - phases_spent(phases);
        if (left <= 0 || executions(phases) >= most)
            break;
        if (rest[i].strategy == STRATEGY_DLSPOR) {
            double some_left = left - seconds * others, own = left * rest[i].share;
            const struct patience some = {.seconds = own < some_left ? own : some_left, .look = seconds * look};
            if (may_match(job) && some_left > 0)
                status = run_states(subject, job, phases, &some, most);
            continue;
        }
        phases_follow(job, phases, rest[i].strategy, left * rest[i].share, most);
        job->task.seed += i;
        status = run_phase(subject, job, phases);
    }
    job->task.seconds = seconds;
    job->task.max_executions = most;
    if (has_covered_all(job))
        only_the_last(phases);
    else if (job->task.strategy == STRATEGY_DLSPOR && !job->answer.bugs)
        job->answer.strategy_changed = CHANGED_NOT; // the list of phases says what was searched
    if (cut && job->answer.end == JOB_TIME)
        job->answer.end = JOB_DONE; // more time would not help by itself
    return status;
}

// Processor seconds that a search which was given up would have taken at most, by its estimate; 0 if there is none.
static double estimated_work(const struct job *job)
{
    return job->answer.share.least > 0 ? job->answer.worked / job->answer.share.least : 0;
}

// A search of executions that is given up if by its estimate it takes longer than `most` seconds; 0: however long it takes.
static int run_for_now(const struct subject *subject, struct job *job, struct phases *phases, double most)
{
    const double cut = 0.5;
    if (phases->count)
        phases_follow(job, phases, STRATEGY_OPTIMAL, 0, UINT64_MAX);
    job->task.strategy = STRATEGY_OPTIMAL;
    job->task.scouts = 1;
    job->task.hopeless_after = most;
    job->task.patient = most > 0;
    job->task.seconds_if_cut = cut;
    return (phases->count ? run_executions_again : run_executions)(subject, job, phases);
}

// Executions and states in turn, until one of the two comes to its end. Executions are left when by their estimate they take longer than
// `most`, states when they do not repeat enough for the time that executions would take (worker/halt.c). Each round begins anew and
// goes further, so that all that came before the last one takes little beside it.
static int run_in_turn(const struct subject *subject, struct job *job, struct phases *phases)
{
    enum { ROUNDS = 4, GROWTH = 4, STATES_CUT = 6 };
    double most = 1, guess = 10, look = 0.3; // seconds
    int status = run_for_now(subject, job, phases, may_match(job) ? most : 0);
    for (int round = 0; round < ROUNDS && !status && goes_on(job) && may_match(job); round++) {
        bool cut = has_cut(phases);
        double work = estimated_work(job) > 0 ? estimated_work(job) : guess;
        const struct patience some = {.look = look, .instead = cut ? 0 : work, .if_cut = STATES_CUT, .scouts = true};
        status = run_states(subject, job, phases, &some, UINT64_MAX);
        most = work * GROWTH;
        guess *= GROWTH;
        look *= GROWTH;
        if (!status && goes_on(job) && !cut)
            status = run_for_now(subject, job, phases, round + 1 < ROUNDS ? most : 0);
        if (cut)
            break;
    }
    return status;
}

// No bound is given, so everything is to be covered, however long it takes, with samples in between (worker/scout.h). Where
// executions are cut at the step bound nothing can be verified by them any more, and there may be no end: then that is bounded,
// and samples come last, since what the threads would still have done is not known, and nothing is owed for it.
static int run_patiently(const struct subject *subject, struct job *job, struct phases *phases)
{
    enum { ENOUGH = 15, SAMPLES = 2 }; // seconds
    int status = run_in_turn(subject, job, phases);
    if (!status && goes_on(job) && has_cut(phases)) {
        double left = ENOUGH - phases_spent(phases);
        phases_follow(job, phases, STRATEGY_SAMPLE, left > SAMPLES ? left : SAMPLES, UINT64_MAX);
        status = run_phase(subject, job, phases);
        if (job->answer.end == JOB_TIME)
            job->answer.end = JOB_DONE;
    }
    job->task.seconds = 0;
    if (has_covered_all(job))
        only_the_last(phases);
    return status;
}

// A program that does not do the same each time cannot be searched, since no execution can be continued another way; but
// it can still be sampled, which needs nothing to be repeatable.
static int run_samples(const struct subject *subject, struct job *job, struct phases *phases)
{
    enum { SAMPLES = 1000 };
    double seconds = job->task.seconds;
    uint64_t most = job->task.max_executions, done = executions(phases);
    double left = seconds - phases_spent(phases);
    if (done >= most || (seconds > 0 && left <= 0))
        return 0;
    bool samples = only_samples(job);
    job->task.guard = 0;
    phases_follow(job, phases, samples ? job->task.strategy : STRATEGY_RANDOM, seconds > 0 ? left : 0,
                  samples || most - done < SAMPLES ? most : done + SAMPLES);
    int status = run_phase(subject, job, phases);
    job->task.seconds = seconds;
    job->task.max_executions = most;
    return status;
}

int phases_run(const struct subject *subject, struct job *job, struct phases *phases)
{
    bool timed = job->task.strategy == STRATEGY_PORTFOLIO, patient = job->task.strategy == STRATEGY_PATIENT;
    int status = (timed ? run_portfolio : patient ? run_patiently : run_phase)(subject, job, phases);
    if (!status && job->answer.end == JOB_DIVERGED && job->answer.difference.kind && looks_further(job))
        status = run_samples(subject, job, phases);
    if (run_interrupted() && (job->answer.end == JOB_TIME || job->answer.end == JOB_TOO_LARGE))
        job->answer.end = JOB_INTERRUPTED; // or there would have been another phase
    add_up(job, phases);
    return status;
}
