#include "worker/searching.h"

#include "base/paths.h"
#include "base/time.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"
#include "worker/bare.h"
#include "worker/client_search.h"
#include "worker/clients.h"
#include "worker/ending.h"
#include "worker/findings.h"
#include "worker/halt.h"
#include "worker/helpers.h"
#include "worker/learning.h"
#include "worker/matching.h"
#include "worker/outlook.h"
#include "worker/runs.h"
#include "worker/sharing.h"
#include "worker/tree_log.h"
#include "worker/turns.h"
#include "worker/wanted.h"

struct worker *the_worker;

// What is asked for while the search is under way.
static inline void publish_counts(const struct worker *w)
{
    struct counts *counts = &w->job->answer.counts;
    counts->executions = w->search.executions;
    counts->events = w->search.events;
    counts->cut = w->search.cut;
    counts->redundant = w->redundant + w->search.strategy->redundant;
    engine.progress++;
}

void searching_publish(struct worker *w)
{
    publish_counts(w);
    w->job->answer.dropped = engine.failures_dropped;
    w->job->answer.account = w->search.strategy->account;
    likeness_tell(w->job->answer.alike);
}

void searching_measure(struct job *job)
{
    if (engine.exec.count > job->answer.deepest)
        job->answer.deepest = engine.exec.count;
}

static void note_cut(struct job *job)
{
    if (job->answer.cut_pc || !engine.exec.count)
        return;
    uint32_t actor = engine.exec.events[engine.exec.count - 1].actor;
    job->answer.cut_pc = (uint64_t)(uintptr_t)engine.threads[actor].request.pc;
    job->answer.cut_actor = actor;
}

// Whether the execution that has just ended does the same again. The first one is asked more often than the others, of
// which there may be none, unless it is very long; of those only the second, the fourth, and so on. None is asked if files
// may change for good: the next execution may find others.
static bool does_the_same_again(struct worker *w)
{
    const int times = 3;
    const double enough = 0.5; // seconds
    uint64_t number = w->search.executions;
    if (!w->job->task.guard || w->job->task.outside.allowed[0][0] || (number & (number - 1)))
        return true;
    for (int i = 0; i < (number == 1 ? times : 1); i++)
        if (!guard_repeat())
            return false;
        else if (time_now() - w->started > enough)
            break;
    return true;
}

// Whether the strategy gave the execution up although something could still run: an equivalent one is seen elsewhere.
static bool given_up(void)
{
    for (uint32_t word = 0; word * 64 < engine.exec.known; word++)
        for (uint64_t bits = engine.exec.parked[word]; bits; bits &= bits - 1)
            if (engine.target.ready(&engine.target, word * 64 + (uint32_t)__builtin_ctzll(bits)))
                return true;
    return false;
}

// Whether there was a race. Then the execution stands for itself only: nothing keeps the two accesses in their order in those that
// are equivalent by what is visible.
static bool has_raced(void)
{
    for (uint32_t i = 0; i < engine.failure_count; i++)
        if (engine.failures[i].kind == BUG_RACE)
            return true;
    return false;
}

// The event from which on the execution at hand goes round, plus 1; 0 if it does not.
static uint32_t round_of(const struct worker *w)
{
    return engine.round_closed ? engine.round_from + 1 : w->search.strategy->round;
}

// Whether all there is to say of the execution is that it ended: the process has, nothing failed or was noticed, and nobody looks
// at executions more closely. Nearly all executions end like that.
static inline bool ends_plainly(const struct worker *w, bool whole)
{
    uint64_t number = w->search.executions;
    return whole && engine.over && !engine.incidents && !engine.failure_count && !engine.status && steps_are_usual() &&
           !engine.plain_reads && !engine.unsupported[0] && w->looks_briefly && !w->only_watching && !w->matching &&
           !w->search.strategy->round && w->job->answer.end == JOB_RUNNING && (number & (number - 1)); // the guard's
}

static RARE bool judge_closely(struct worker *w, bool whole)
{
    struct job *job = w->job;
    if (halt_cannot_go_on(w) || (!does_the_same_again(w) && halt_cannot_go_on(w)))
        return false;
    if (unlikely(engine.watching))
        watch_pin_down();
    if (engine.keeps_output)
        output_show(w->search.executions);
    uint32_t round = round_of(w);
    bool in_part = whole && !round && given_up();
    if (unlikely(engine.late)) // since when nobody counts as ready, so that threads would seem to wait for ever
        return !halt_cannot_go_on(w);
    if (w->only_watching || (in_part && !((w->matching || engine.turns) && engine.failure_count)))
        return !halt_out_of_time(w);
    enum ending ending = round ? ending_judge_round(round - 1) : whole && !in_part ? ending_judge() : ENDING_WHOLE;
    bool blocked = ending != ENDING_WHOLE;
    job->answer.counts.blocked += blocked;
    job->answer.finished += whole && !in_part && ending != ENDING_BLOCKED;
    job->answer.assumed |= blocked && engine.assumed;
    job->answer.wrote_plainly |= engine.wrote_plainly;
    for (; job->answer.plain_reads < engine.plain_reads; job->answer.plain_reads++)
        job->answer.plain_read[job->answer.plain_reads] =
            (uint64_t)(uintptr_t)engine.plain_read[job->answer.plain_reads];
    if (engine.status)
        job->answer.status_seen = (uint32_t)engine.status;
    if (!whole)
        note_cut(job);
    bool as_run = !w->any_order || has_raced();
    w->shown_by_other =
        client_run.job && client_run.client && whole && !in_part && !blocked && clients_judge(as_run, w->other);
    job->answer.preemptions_seen = turns_preemptions(job);
    if (job->task.runs_fd >= 0 && whole && !blocked)
        runs_write(job, w->shown_by_other);
    if (job->task.unless_wanted && whole && !blocked && !in_part && wanted_escapes(job)) {
        job->answer.escaped = 1;
        halt_search(w, JOB_BUG);
        return false;
    }
    if (unlikely(engine.failure_count) && findings_end_search(w))
        return false;
    if (engine.unsupported[0])
        return !halt_cannot_go_on(w);
    return !halt_out_of_time(w);
}

static bool judge_leaf(struct worker *w, bool whole)
{
    publish_counts(w);
    searching_measure(w->job);
    if (!ends_plainly(w, whole))
        return judge_closely(w, whole);
    w->job->answer.finished++;
    return !halt_out_of_time(w);
}

bool searching_leaf(void *worker, bool whole)
{
    return judge_leaf(worker, whole) && helpers_go_on(worker) && sharing_leaf(worker);
}

void searching_prepare(struct worker *w, enum strategy_kind strategy)
{
    engine.joins_late = strategy_table[strategy].joins_late;
    engine.by_sources = strategy == STRATEGY_RF;
    w->any_order = strategy_table[strategy].any_order;
    engine.spin_stops = w->any_order && !engine.plain && !engine.learnt.rounds_seen && !client_search_counts_steps();
    const struct task *task = &w->job->task;
    bool round = strategy == STRATEGY_REPLAY && task->round && !task->turns && !task->real;
    engine.round_from = round ? task->round - 1 : 0;
    engine.round_until = round ? task->prefix_steps : 0;
    engine.circles = strategy_table[strategy].matches_states || round;
    w->matching = strategy == STRATEGY_CLIENT_STATES || engine.circles;
}

static bool leaves_out_kin(const struct task *task)
{
    return task->strategy == STRATEGY_DFS && task->symmetry == SYMMETRY_ON && task->preemptions == NO_BOUND &&
           engine.undoing;
}

void searching_choose_without_states(struct worker *w)
{
    struct job *job = w->job;
    w->matching |= leaves_out_kin(&job->task);
    if (!strategy_table[job->task.strategy].matches_states || (engine.undoing && !engine.verifying))
        return;
    if (job->task.only_states) {
        halt_search(w, JOB_TOO_LARGE);
        return;
    }
    bool shares = job->learnt.shares || job->learnt.rounds_seen || job->task.plain;
    job->task.strategy = shares ? STRATEGY_DPOR : STRATEGY_OPTIMAL;
    job->answer.strategy_changed = CHANGED_STATES;
    searching_prepare(w, job->task.strategy);
}

// Checks once more that undo restored memory rightly, before the verdict. If that fails when the time is over, it is too late to
// begin anew, and heddle does not claim what the strategy says it covered.
static void audit_search(struct worker *w, enum search_end end)
{
    struct job *job = w->job;
    bool timed_out = job->answer.end == JOB_TIME || job->answer.end == JOB_TOO_LARGE;
    if (end == SEARCH_STOPPED && !timed_out)
        return;
    audit_end(job->client.mode != CLIENT_RUN);
    if (!engine.missed.area || !timed_out || !learning_may_be_heddle(job))
        return;
    learning_keep(job);
    engine.again = false;
    w->search.strategy->account = (struct account){0};
}

// Estimates how much of the search was done when it ended.
static void look_back(struct worker *w, enum search_end end)
{
    struct job *job = w->job;
    bool bounded = end == SEARCH_EXECUTIONS || job->answer.end == JOB_TIME || job->answer.end == JOB_TOO_LARGE ||
                   job->answer.end == JOB_INTERRUPTED;
    if (end == SEARCH_DONE && w->search.strategy->estimate) {
        double done = (double)w->search.executions;
        sharing_share(w, (struct prospect){done, done, done, done});
        job->answer.share = (struct share){.likely = 1, .least = 1, .most = 1};
    } else if (bounded && !job->answer.bugs && !job->answer.crowd && !engine.late) {
        outlook_look(&w->search, job, job->task.patient ? scout_own_work(w) : time_now() - w->started);
        findings_end_search(w);
    }
}

bool searching_takes_kin_together(const struct worker *w)
{
    const struct task *task = &w->job->task;
    bool by_states = strategy_table[task->strategy].matches_states && !task->audit_states;
    return (by_states && task->symmetry != SYMMETRY_OFF) || leaves_out_kin(task);
}

static void tell_state(void *unused, struct fingerprint *state)
{
    (void)unused;
    *state = engine.alike ? state_of_kin() : state_now();
}

static void tell_exact_state(void *unused, struct fingerprint *state)
{
    (void)unused;
    *state = state_now();
}

static bool tell_grown(void *unused)
{
    (void)unused;
    bool grown = state_grown();
    if (grown)
        helpers_note_growth(the_worker);
    return grown;
}

static uint32_t tell_age(void *unused)
{
    (void)unused;
    return commons_age();
}

static uint32_t tell_helper(void *unused)
{
    (void)unused;
    return helpers_spread(the_worker);
}

static uint64_t tell_digest(void *unused)
{
    (void)unused;
    return commons_digest();
}

static bool hear_growth(void *unused, uint64_t what)
{
    (void)unused;
    return commons_hear(what);
}

static bool pause_search(void *unused)
{
    (void)unused;
    return helpers_pause(the_worker);
}

static void tell_kin(void *unused, uint32_t *actor, uint32_t *object)
{
    (void)unused;
    *actor = likeness_kin(*actor);
    *object = likeness_object(*object);
}

static void tell_ignored(void *unused, uint64_t *digests)
{
    (void)unused;
    for (uint32_t i = 0; i < IGNORED_RANGES; i++)
        digests[i] = i < ignored_count ? ignored_digest(i) : 0;
}

// Equal states went on in different ways.
static void tell_unlike(struct worker *w)
{
    struct answer *answer = &w->job->answer;
    uint64_t ranges = w->search.strategy->account.unlike_in;
    answer->unlike_at = ranges ? ignored_start((uint32_t)__builtin_ctzll(ranges)) : 0;
    snprintf(answer->reason, sizeof answer->reason, "two states that should be the same went on in different ways");
    halt_search(w, JOB_UNSUPPORTED);
}

static void tell_likes(void *unused, uint16_t *lowest)
{
    (void)unused;
    state_likes(lowest);
}

static double tell_counterparts(void *unused)
{
    (void)unused;
    return likeness_counterparts();
}

static bool tell_standing(void *unused, uint32_t actor, uint64_t *pc, uint64_t *address)
{
    (void)unused;
    const struct request *r = &engine.threads[actor].request;
    *pc = (uint64_t)(uintptr_t)r->pc;
    *address = r->address;
    return true;
}

struct strategy_options searching_options(const struct worker *w)
{
    struct job *job = w->job;
    return (struct strategy_options){.root = job->task.prefix_steps,
                                     .prefix = job->steps,
                                     .preemptions = job->task.preemptions,
                                     .depth = job->task.depth,
                                     .unlocks = job->learnt.unlock_visible,
                                     .seed = job->task.seed,
                                     .runs = job->task.max_executions,
                                     .wishes = &job->wishes,
                                     .standing = tell_standing,
                                     .journal = engine.journal.access ? &engine.journal : NULL,
                                     .known = matching_known,
                                     .state = tell_state,
                                     .grown = tell_grown,
                                     .exact_state = tell_exact_state,
                                     .kin = engine.alike ? tell_kin : NULL,
                                     .likes = engine.alike ? tell_likes : NULL,
                                     .counterparts = engine.alike ? tell_counterparts : NULL,
                                     .memory = job->task.memory,
                                     .ignored = job->task.audit_states ? tell_ignored : NULL,
                                     .age = tell_age,
                                     .spread = tell_helper,
                                     .digest = tell_digest,
                                     .hear = hear_growth,
                                     .pause = pause_search,
                                     .blocked = &job->answer.counts.blocked,
                                     .finished = &job->answer.finished};
}

static bool looks_briefly(const struct task *task)
{
    return !engine.turns && !engine.keeps_output && !engine.rules.leaks && !client_run.job && task->runs_fd < 0 &&
           !task->unless_wanted;
}

void searching_run(struct worker *w, enum strategy_kind strategy, uint64_t most)
{
    struct job *job = w->job;
    struct strategy_options options = searching_options(w);
    options.closed = helpers_prepare(w, strategy);
    options.exchange = options.closed ? helpers_exchange() : NULL;
    w->search = (struct search){.strategy = strategy_new(strategy, &engine.target, &options),
                                .max_executions = w->sharing.ledger ? UINT64_MAX : most,
                                .max_steps = job->task.max_steps,
                                .leaf = searching_leaf,
                                .interlude_is_due = w->scout.wanted ? scout_is_due : NULL,
                                .interlude = scout_again,
                                .context = w,
                                .executions = w->search.executions,
                                .events = w->search.events,
                                .cut = w->search.cut};
    if (job->task.bare)
        w->search.max_executions = 1;
    tree_log_begin(w->search.strategy);
    w->looks_briefly = looks_briefly(&job->task);
    enum search_end end = sharing_begins(w) ? search_run(&w->search) : SEARCH_DONE;
    while (sharing_goes_on(w, &end))
        end = search_run(&w->search);
    helpers_end(w, &end);
    if (!job->task.bare) {
        look_back(w, end);
        if (end == SEARCH_DONE && engine.alike && !join_runs_vouch())
            engine.again = true;
        audit_search(w, end);
    } else if (!job->answer.bugs) { // nothing can be looked at afterwards: bare executions keep too little
        w->started = time_now();
        w->search.events = bare_repeat(job->task.bare);
        w->search.executions = job->task.bare;
    }
    tree_log_end();
    halt_cannot_go_on(w); // a strategy may also have run something to see whether it is owed
    if (w->search.strategy->account.unlike)
        tell_unlike(w);
    if (end == SEARCH_DONE)
        halt_search(w, JOB_DONE);
    else if (end == SEARCH_EXECUTIONS)
        halt_search(w, JOB_EXECUTIONS);
    searching_publish(w);
}

void searching_begin_recording(const struct worker *w)
{
    const struct job *job = w->job;
    turns_begin_counting(job);
    if (w->trace_fd < 0)
        return;
    engine.record = engine.closer = engine.follow_calls = true;
    record_open(w->trace_fd);
}
