#include "worker/halt.h"

#include <stdio.h>

#include "base/paths.h"
#include "base/time.h"
#include "target/threads/engine/engine_room.h"
#include "worker/findings.h"
#include "worker/learning.h"
#include "worker/outlook.h"
#include "worker/searching.h"

void halt_search(struct worker *w, enum job_end end)
{
    if (w->job->answer.end == JOB_RUNNING)
        w->job->answer.end = end;
}

static void tell_missed(struct job *job)
{
    job->learnt.missed = engine.learnt.missed = engine.missed;
    snprintf(job->answer.reason, sizeof job->answer.reason,
             "memory was not as before after going back: a write was missed");
}

bool halt_cannot_go_on(struct worker *w)
{
    struct job *job = w->job;
    bool missed = engine.again && engine.missed.area && !learning_may_be_heddle(job);
    if (engine.again && !missed)
        learning_keep(job);
    if (missed) { // the user has said how to go back
        tell_missed(job);
        halt_search(w, JOB_DIVERGED);
    } else if (engine.again && !engine.unsupported[0]) {
        halt_search(w, JOB_AGAIN);
    } else if (engine.unsupported[0]) {
        snprintf(job->answer.reason, sizeof job->answer.reason, "%s", engine.unsupported);
        findings_keep(w);
        halt_search(w, JOB_UNSUPPORTED);
    } else if (engine.late) {
        findings_keep(w);
        halt_search(w, job->interrupt ? JOB_INTERRUPTED : JOB_TIME);
    } else if (engine.stuck) {
        findings_keep(w);
        job->answer.cut_pc = engine.stuck_pc;
        job->answer.cut_actor = engine.stuck_actor;
        halt_search(w, JOB_STUCK);
    } else if (engine.diverged && learning_may_be_heddle(job)) {
        learning_keep(job);
        learning_distrust(job, engine.undoing ? DISTRUST_UNDO : DISTRUST_MEMORY);
        halt_search(w, JOB_AGAIN);
    } else if (engine.diverged) {
        snprintf(job->answer.reason, sizeof job->answer.reason,
                 engine.verifying
                     ? "memory was not as before after going back: a write was missed"
                     : "an execution did not follow its schedule when it was repeated: the program depends "
                       "on something heddle does not control");
        job->answer.difference = engine.difference;
        halt_search(w, JOB_DIVERGED);
    }
    return job->answer.end != JOB_RUNNING;
}

// Whether a run that is only repeated has failed and taken its last step. A thread that goes on for ever shows nothing more.
static bool has_shown_it(const struct worker *w)
{
    return engine.preemptions && engine.failure_count && engine.exec.count >= w->job->task.prefix_steps;
}

// An execution that is about to end gets a moment to do so. After Ctrl-C, when findings are repeated once more, it gets longer.
bool halt_is_late(void)
{
    static double asked, shown;
    const double moment = 0.3, longer = 1; // seconds
    const struct worker *w = the_worker;
    double time = time_now();
    if (!w->job->interrupt)
        asked = 0;
    else if (!asked)
        asked = time;
    if (!has_shown_it(w))
        shown = 0;
    else if (!shown)
        shown = time;
    return (asked > 0 && time > asked + longer) || (shown > 0 && time > shown + longer) ||
           (w->job->task.seconds > 0 && time > w->started + w->job->task.seconds + moment);
}

bool halt_could_match_states(void)
{
    return engine.undoing && !engine.verifying;
}

// Estimates how much is done, and gives up what cannot be done in the time.
static bool is_hopeless(struct worker *w, double passed)
{
    if (outlook_is_due(&w->search, w->job, passed)) {
        outlook_look(&w->search, w->job, passed);
        if (findings_end_search(w) || halt_cannot_go_on(w))
            return false;
    }
    enum { FEW = 20 }; // executions, which take long then: there may be hardly more of them
    bool itself = w->search.leaf == searching_leaf; // no samples in between
    bool given_up = !w->job->task.patient || (halt_could_match_states() && itself && w->search.executions >= FEW);
    return given_up && outlook_is_hopeless(w->job, passed);
}

// A search by states that hardly ever comes back to one has as many of them as there are executions, or more. It is looked at
// once, when there are enough to tell, or the search is slow.
static bool states_hardly_repeat(struct worker *w, double passed)
{
    enum { TELLING = 10000, SLOW = 5 };
    const struct account *account = &w->search.strategy->account;
    double look = w->job->task.repeats_after;
    bool due = passed > look && (account->states >= TELLING || passed > SLOW * look);
    if (look <= 0 || !due || !account->states || w->looked_at_states)
        return false;
    w->looked_at_states = true;
    return account->known < account->states / 8;
}

// A search by states takes the place of one of executions, of which it is known how long it would take. The more often states repeat, the
// more it may cost: where each is come to from a single other one there are about as many of them as there are executions.
static bool states_are_too_many(const struct worker *w, double passed)
{
    const double least = 0.3, lowest = 0.1, highest = 1; // seconds, shares
    const struct account *account = &w->search.strategy->account;
    if (w->job->task.instead_of <= 0 || passed < least || !account->states)
        return false;
    double promise = (double)account->known / (double)account->states - 0.5;
    promise = promise < lowest ? lowest : promise > highest ? highest : promise;
    return passed > w->job->task.instead_of * promise;
}

// Where executions are cut nothing can be verified by them any more.
static bool is_cut_for_long(const struct worker *w, double passed)
{
    const struct job *job = w->job;
    const double nothing_else = 6; // times as long, where states cannot be searched
    double most = job->task.seconds_if_cut * (job->task.patient && !halt_could_match_states() ? nothing_else : 1);
    return (job->answer.counts.cut || job->answer.elsewhere.cut) && most > 0 && passed > most;
}

// Of the search itself, not of samples in between.
static bool is_in_a_crowd(const struct worker *w)
{
    return unlikely(w->search.executions == w->job->task.crowd_after) && w->job->task.crowd_after &&
           w->search.leaf == searching_leaf && likeness_sees_crowd();
}

static double time_for_estimate(const struct worker *w)
{
    return w->search.strategy && w->search.strategy->estimate ? outlook_reserve(w->job->task.seconds) : 0;
}

// Whether another search would be better. Without a bound on the time that is decided by the work done, so that a busy machine makes
// no difference.
static bool is_too_large(struct worker *w, double passed)
{
    double spent = w->job->task.patient ? scout_own_work(w) : passed;
    return is_hopeless(w, spent) || states_hardly_repeat(w, spent) || states_are_too_many(w, spent);
}

bool halt_out_of_time(struct worker *w)
{
    struct job *job = w->job;
    if (job->interrupt) {
        halt_search(w, JOB_INTERRUPTED);
        return true;
    }
    if (is_in_a_crowd(w)) {
        job->answer.crowd = 1;
        halt_search(w, JOB_TOO_LARGE);
        return true;
    }
    if (engine.ticks == w->tick)
        return false;
    w->tick = engine.ticks;
    double passed = time_now() - w->started;
    bool over = job->task.seconds > 0 && passed > job->task.seconds - time_for_estimate(w);
    if (over || is_cut_for_long(w, passed))
        halt_search(w, JOB_TIME);
    else if (w->search.strategy && is_too_large(w, passed)) // there is none while orders of a client are tried
        halt_search(w, JOB_TOO_LARGE);
    return job->answer.end != JOB_RUNNING;
}
