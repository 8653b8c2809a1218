#include "worker/sharing.h"

#include "base/fail.h"
#include "base/time.h"
#include "spread/ledger.h"
#include "target/threads/engine/engine_room.h"
#include "worker/halt.h"
#include "worker/notes.h"

void sharing_open(struct worker *w, struct ledger *ledger)
{
    const struct task *task = &w->job->task;
    if (!ledger)
        return;
    require(ledger->limit >= engine.exec.limit);
    w->sharing.ledger = ledger;
    w->sharing.unit = ledger_unit_of(ledger, task->worker);
    w->sharing.begins = w->sharing.unit != NO_UNIT;
    w->sharing.recent = w->sharing.begins ? w->sharing.unit : 0;
    w->sharing.last_seen = NO_UNIT;
    engine.exec.identities = &ledger->identities;
}

bool sharing_begins(const struct worker *w)
{
    return !w->sharing.ledger || w->sharing.begins;
}

uint32_t sharing_unit(const struct worker *w)
{
    return w->sharing.ledger ? w->sharing.recent : 0;
}

uint64_t sharing_executions(const struct worker *w)
{
    const struct sharing *s = &w->sharing;
    return s->ledger ? ledger_executions_in(s->ledger, s->recent, w->search.executions) : w->search.executions;
}

bool sharing_is_before(const struct worker *w, uint32_t unit, uint32_t other)
{
    return w->sharing.ledger && ledger_is_before(w->sharing.ledger, unit, other);
}

struct share sharing_share(struct worker *w, struct prospect own)
{
    struct ledger *ledger = w->sharing.ledger;
    if (!ledger)
        return (struct share){
            .likely = own.done / own.total, .least = own.done / own.most, .most = own.done / own.least};
    ledger->prospect[w->job->task.worker] = own;
    return ledger_share(ledger);
}

// Where executions are bounded, each is counted before it is run. False if there may be no more.
static bool count_next(struct worker *w)
{
    struct sharing *s = &w->sharing;
    if (w->job->task.max_executions == UINT64_MAX || s->counted)
        return true;
    if (__atomic_fetch_add(&s->ledger->executions, 1, __ATOMIC_RELAXED) < w->job->task.max_executions) {
        s->ledger->charged[w->job->task.worker]++;
        s->counted = true;
        return true;
    }
    halt_search(w, JOB_EXECUTIONS);
    return false;
}

// What ends the search is looked at again only when it is another unit.
static bool is_dropped(struct worker *w)
{
    struct sharing *s = &w->sharing;
    uint32_t last = s->ledger->last;
    if (last == s->last_seen && !s->ledger->at_once)
        return false;
    s->last_seen = last;
    return ledger_drops(s->ledger, s->unit);
}

// What is left of the unit, and what has been seen so far, as if this were the end.
static void tell_all(struct worker *w)
{
    struct sharing *s = &w->sharing;
    uint32_t unseen_calls = w->job->answer.unseen_calls;
    s->wish = s->ledger->wish;
    notes_conclude(w);
    ledger_tell(s->ledger, w->job, s->unit, w->search.strategy);
    w->job->answer.unseen_calls = unseen_calls;
}

// Samples are run by the way, and have nothing to give away.
bool sharing_look(struct worker *w)
{
    struct sharing *s = &w->sharing;
    struct strategy *strategy = w->search.strategy;
    if (!strategy->give)
        return true;
    s->counted = s->fresh = false;
    if (is_dropped(w) || !count_next(w))
        return false;
    if (ledger_is_asked(s->ledger))
        ledger_give(s->ledger, w->job, s->unit, strategy);
    if (s->ledger->wish != s->wish)
        tell_all(w);
    return true;
}

static void leave_unit(struct worker *w, enum search_end end)
{
    struct sharing *s = &w->sharing;
    const struct answer *answer = &w->job->answer;
    bool bounded = job_is_bounded(answer->end);
    if (s->unit == NO_UNIT)
        return;
    searching_publish(w);
    if (job_stops_all(w->job))
        ledger_stop(s->ledger, s->unit);
    enum unit_state state = bounded                      ? UNIT_LEFT
                            : answer->end != JOB_RUNNING ? UNIT_LAST
                            : end == SEARCH_DONE         ? UNIT_DONE
                                                         : UNIT_DROPPED;
    // Otherwise it is left as it was when it was last told of: an execution was cut off, or what is planned is no longer owed.
    bool between = state == UNIT_LEFT && end == SEARCH_STOPPED && !s->fresh && !w->search.planned && !engine.late;
    ledger_leave(s->ledger, w->job, s->unit, state, between ? w->search.strategy : NULL);
    s->unit = NO_UNIT;
}

static bool is_too_late(struct worker *w)
{
    const struct task *task = &w->job->task;
    if (w->job->interrupt)
        halt_search(w, JOB_INTERRUPTED);
    else if (task->seconds > 0 && time_now() - w->started > task->seconds)
        halt_search(w, JOB_TIME);
    return w->job->answer.end != JOB_RUNNING;
}

// Waits for a unit and brings the target to where it begins; false if there is none. One in which nothing is left is done at once.
static bool take_unit(struct worker *w)
{
    struct sharing *s = &w->sharing;
    uint32_t unit = ledger_take(s->ledger, w->job);
    if (unit == NO_UNIT)
        return false;
    s->unit = s->recent = unit;
    s->last_seen = NO_UNIT;
    s->fresh = true;
    engine.target.restart(&engine.target, 0);
    bool begun = count_next(w) && w->search.strategy->take(w->search.strategy, ledger_part(s->ledger, unit));
    if (begun || halt_cannot_go_on(w))
        return true;
    leave_unit(w, SEARCH_DONE);
    ledger_set_idle(s->ledger, w->job->task.worker, true);
    return false;
}

bool sharing_goes_on(struct worker *w, enum search_end *end)
{
    struct sharing *s = &w->sharing;
    if (!s->ledger)
        return false;
    leave_unit(w, *end);
    if (w->job->answer.end == JOB_EXECUTIONS)
        *end = SEARCH_EXECUTIONS;
    if (w->job->answer.end != JOB_RUNNING)
        return false;
    *end = SEARCH_DONE;
    if (s->counted) // and not run
        __atomic_sub_fetch(&s->ledger->executions, 1, __ATOMIC_RELAXED);
    s->counted = false;
    ledger_set_idle(s->ledger, w->job->task.worker, true);
    while (!take_unit(w) && !ledger_is_over(s->ledger) && !is_too_late(w)) {
        w->job->answer.beats++;
        ledger_wait(s->ledger);
    }
    if (s->unit == NO_UNIT)
        ledger_set_idle(s->ledger, w->job->task.worker, false);
    if (w->job->answer.end != JOB_RUNNING)
        leave_unit(w, *end = SEARCH_STOPPED);
    return s->unit != NO_UNIT;
}
