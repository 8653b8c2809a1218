#define _GNU_SOURCE
#include "worker/helpers.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/time.h"
#include "explore/closed_states.h"
#include "model/state_exchange.h"
#include "spread/ledger.h"
#include "spread/sights.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/memory/memory_room.h"
#include "worker/halt.h"

enum {
    ALONE = 2000,    // executions in which nothing becomes part of states
    MOST_KILLED = 20 // helpers, before the worker goes on alone
};

struct helper {
    pid_t process; // 0: there is none
    struct job *job;
};

static struct {
    struct helper helper[WORKERS];
    struct closed_states *closed;
    uint32_t wanted, self; // how many there are to be; which one this process is, 0: the worker itself
    bool spread;           // they have been started
    uint32_t killed;
    uint64_t alone, after; // executions since states were renewed, and how many there are to be
    struct counts
        before; // what was counted by then: like an attempt that taught something it leaves nothing else behind
    uint64_t finished_before;
    struct state_exchange *exchange; // with other machines, or null
    struct answer sights;            // what they have seen
    struct counts gone;              // executions of those who are no longer there
    uint64_t tick;
} crew;

void helpers_talk(struct state_exchange *exchange)
{
    crew.exchange = exchange;
}

struct state_exchange *helpers_exchange(void)
{
    return crew.exchange;
}

bool helpers_pause(struct worker *w)
{
    static const struct timespec moment = {.tv_nsec = 200000};
    const struct task *task = &w->job->task;
    w->job->answer.beats++;
    NATIVE(syscall)(SYS_nanosleep, &moment, NULL);
    if (w->job->interrupt)
        halt_search(w, JOB_INTERRUPTED);
    else if (task->seconds > 0 && time_now() > w->started + task->seconds)
        halt_search(w, JOB_TIME);
    return w->job->answer.end == JOB_RUNNING;
}

struct closed_states *helpers_prepare(struct worker *w, enum strategy_kind strategy)
{
    const char *after = getenv("HEDDLE_ALONE"); // for tests: small programs are shared, too
    const struct task *task = &w->job->task;
    if ((!task->helpers && !crew.exchange) || strategy != task->strategy || !strategy_table[strategy].matches_states ||
        strategy == STRATEGY_SDPOR || !engine.undoing || engine.forking || task->audit_states || crew.self)
        return NULL;
    crew.wanted = task->helpers < WORKERS - 1 ? task->helpers : WORKERS - 1;
    crew.after = after ? strtoull(after, NULL, 10) : ALONE;
    crew.closed = closed_states_new(task->memory);
    return crew.closed;
}

// ---- beginning ----

static struct job *copy_job(const struct job *job)
{
    struct job *copy =
        mmap(NULL, sizeof *copy, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (copy == MAP_FAILED)
        return NULL;
    memcpy(copy, job, offsetof(struct job, current));
    memcpy(copy->steps, job->steps, job->steps_used * sizeof *job->steps);
    copy->answer.counts = copy->answer.elsewhere = (struct counts){0};
    copy->answer.sampled = (struct sampled){0};
    copy->answer.finished = copy->answer.dropped = 0;
    copy->interrupt = 0;
    return copy;
}

// The helper's job takes the place of the worker's: whoever knows where that is writes into the helper's from now on.
static void become_helper(struct worker *w, uint32_t which, pid_t parent)
{
    void *own = crew.helper[which].job;
    require(mremap(own, sizeof(struct job), sizeof(struct job), MREMAP_MAYMOVE | MREMAP_FIXED, w->job) == w->job);
    NATIVE(prctl)(PR_SET_PDEATHSIG, SIGKILL);
    if (NATIVE(syscall)(SYS_getppid) != parent)
        NATIVE(_exit)(0);
    failure_start_timer();
    crew.self = which;
    w->search.executions = w->search.events = w->search.cut = w->redundant = 0;
    w->search.strategy->redundant = 0;
    w->search.strategy->account.stood_for = 0;
    w->search.interlude_is_due = NULL;
    w->job->task.shown = 0;
    engine.failures_dropped = 0;
}

// False in a helper.
static bool start_helper(struct worker *w, uint32_t which)
{
    struct helper *helper = &crew.helper[which];
    pid_t self = (pid_t)NATIVE(syscall)(SYS_getpid);
    helper->job = copy_job(w->job);
    if (!helper->job)
        return true;
    pid_t process = forking_plainly();
    if (!process) {
        become_helper(w, which, self);
        return false;
    }
    helper->process = process > 0 ? process : 0;
    w->job->answer.workers = which + 1;
    return true;
}

// Others begin with the same, or what they say of states means something else.
static uint32_t begin_to_talk(const struct worker *w)
{
    struct fingerprint found = closed_states_digest(crew.closed);
    commons_tell(crew.exchange);
    exchange_say(crew.exchange,
                 &(struct exchange_record){.kind = EXCHANGE_BEGUN,
                                           .word = {found.low, found.high,
                                                    (uint64_t)engine.place_count << 32 | engine.exec.known,
                                                    w->search.executions, closed_states_count(crew.closed)}});
    crew.exchange->begun = 1;
    return crew.exchange->self;
}

uint32_t helpers_spread(struct worker *w)
{
    if (crew.self || crew.spread || ++crew.alone <= crew.after || w->search.leaf != searching_leaf || !commons_open())
        return 0;
    crew.spread = true;
    if (crew.exchange)
        return begin_to_talk(w);
    for (uint32_t which = 1; which <= crew.wanted; which++)
        if (!crew.helper[which].process && !start_helper(w, which))
            return which;
    return 0;
}

void helpers_note_growth(struct worker *w)
{
    crew.alone = 0;
    crew.before = w->job->answer.counts;
    crew.finished_before = w->job->answer.finished;
}

// ---- what they found ----

static bool is_known(const struct answer *answer, const struct bug *bug, bool tell_apart)
{
    for (uint32_t i = 0; i < answer->bugs; i++)
        if (bug_same(&answer->bug[i].bug, bug, tell_apart))
            return true;
    return false;
}

static void take_bug(struct job *job, const struct job *from, const struct job_bug *bug)
{
    if (job->answer.bugs == JOB_BUGS || job->steps_used + bug->steps > JOB_STEPS) {
        job->answer.dropped++;
        return;
    }
    struct job_bug *kept = &job->answer.bug[job->answer.bugs++];
    *kept = *bug;
    kept->execution = job->answer.elsewhere.executions + job->answer.counts.executions;
    kept->start = job->steps_used;
    memset(kept->after, 0, sizeof kept->after);
    memcpy(job->steps + kept->start, from->steps + bug->start, bug->steps * sizeof *job->steps);
    job->steps_used += bug->steps;
}

static void take_findings(struct job *job, const struct job *from)
{
    struct answer *answer = &job->answer;
    for (uint32_t i = 0; i < from->answer.bugs; i++)
        if (!is_known(answer, &from->answer.bug[i].bug, job->task.rules.tell_apart))
            take_bug(job, from, &from->answer.bug[i]);
    if (from->threads.count > job->threads.count)
        job->threads = from->threads;
    for (uint32_t i = 0; i < MAX_ACTORS / 64; i++)
        answer->alike[i] |= from->answer.alike[i];
    answer_gather_sights(&crew.sights, &from->answer);
    counts_add(&crew.gone, &from->answer.counts);
    the_worker->search.strategy->account.stood_for += from->answer.account.stood_for;
}

// How the helper ended is how the search ends.
static void take_end(struct job *job, const struct job *from)
{
    struct answer *answer = &job->answer;
    if (from->answer.end == JOB_DONE || from->answer.end == JOB_RUNNING || job_is_bounded(from->answer.end))
        return;
    answer->end = from->answer.end;
    memcpy(answer->reason, from->answer.reason, sizeof answer->reason);
    answer->death = from->answer.death;
    answer->difference = from->answer.difference;
    answer->cut_pc = from->answer.cut_pc;
    answer->cut_actor = from->answer.cut_actor;
    job->learnt = from->learnt;
}

// As the helper ended, so that the supervisor sees what it would have seen of a worker without helpers.
static _Noreturn void end_like(struct job *job, const struct job *from, int status)
{
    uint32_t steps = from->current_steps;
    memcpy(job->current, from->current, steps * sizeof *job->current);
    job->current_steps = steps;
    job->answer.death = from->answer.death;
    memcpy(job->answer.reason, from->answer.reason, sizeof job->answer.reason);
    if (WIFSIGNALED(status)) {
        struct rlimit none = {0};
        NATIVE(syscall)(SYS_setrlimit, RLIMIT_CORE, &none);
        signal(WTERMSIG(status), SIG_DFL);
        NATIVE(syscall)(SYS_kill, NATIVE(syscall)(SYS_getpid), WTERMSIG(status));
    }
    NATIVE(_exit)(WEXITSTATUS(status));
    __builtin_unreachable();
}

static bool is_from_outside(int number)
{
    return number == SIGKILL || number == SIGTERM || number == SIGHUP || number == SIGINT;
}

// Takes in a helper that has ended, if it has.
static bool has_ended(struct worker *w, struct helper *helper)
{
    int status;
    if (NATIVE(syscall)(SYS_wait4, helper->process, &status, WNOHANG, NULL) != helper->process)
        return false;
    bool killed = WIFSIGNALED(status) && is_from_outside(WTERMSIG(status));
    commons_bury(helper->process);
    helper->process = 0;
    if (!killed && (WIFSIGNALED(status) || WEXITSTATUS(status)))
        end_like(w->job, helper->job, status);
    take_findings(w->job, helper->job);
    if (killed) {
        commons_begin_anew();
        crew.spread = ++crew.killed > MOST_KILLED; // no others come then
    } else {
        take_end(w->job, helper->job);
    }
    munmap(helper->job, sizeof *helper->job);
    return true;
}

bool helpers_go_on(struct worker *w)
{
    bool all = engine.ticks != crew.tick;
    crew.tick = engine.ticks;
    for (uint32_t i = 1; crew.spread && i <= crew.wanted; i++) {
        struct helper *helper = &crew.helper[i];
        if (helper->process && (all || helper->job->answer.end != JOB_RUNNING))
            has_ended(w, helper);
    }
    return w->job->answer.end == JOB_RUNNING;
}

// ---- the end ----

static void wait_for_all(struct worker *w)
{
    static const struct timespec moment = {.tv_nsec = 500000};
    const double grace = 3; // seconds
    const double began = time_now();
    for (uint32_t i = 1; i <= crew.wanted; i++) {
        while (crew.helper[i].process && !has_ended(w, &crew.helper[i])) {
            w->job->answer.beats++;
            if (w->job->interrupt || w->job->answer.end != JOB_RUNNING)
                crew.helper[i].job->interrupt = 1;
            if (crew.helper[i].job->interrupt && time_now() > began + grace)
                NATIVE(syscall)(SYS_kill, crew.helper[i].process, SIGKILL);
            NATIVE(syscall)(SYS_nanosleep, &moment, NULL);
        }
    }
}

static void count_since_growth(struct worker *w)
{
    w->search.executions -= crew.before.executions;
    w->search.events -= crew.before.events;
    w->job->answer.counts.blocked -= crew.before.blocked;
    w->job->answer.finished -= crew.finished_before;
}

// As one worker would have counted that enters each state once.
static void count_states(struct worker *w)
{
    bool own = crew.exchange && crew.exchange->begun;
    struct closed_totals all =
        closed_states_totals(crew.closed, own ? closed_states_age(crew.closed) : commons_age(), own);
    struct account *account = &w->search.strategy->account;
    w->search.executions = all.executions;
    w->search.events = all.events;
    w->search.cut += crew.gone.cut;
    w->job->answer.counts.blocked = all.blocked;
    w->job->answer.finished = all.finished;
    account->states = all.states;
    account->known = all.known;
}

void helpers_end(struct worker *w, enum search_end *end)
{
    if (crew.self)
        return;
    if (!crew.closed) {
        if (*end == SEARCH_DONE)
            count_since_growth(w);
        return;
    }
    for (uint32_t i = 1; *end != SEARCH_DONE && i <= crew.wanted; i++)
        if (crew.helper[i].process)
            crew.helper[i].job->interrupt = 1;
    const uint32_t killed = crew.killed;
    wait_for_all(w);
    if (*end == SEARCH_DONE && crew.killed != killed) // one was killed: the search begins anew in a new process
        halt_search(w, JOB_AGAIN);
    if (*end == SEARCH_DONE && w->job->answer.end != JOB_RUNNING)
        *end = SEARCH_STOPPED;
    if (*end == SEARCH_DONE) {
        count_states(w);
        return;
    }
    w->search.strategy->account.states = closed_states_count(crew.closed);
    w->job->answer.finished += crew.sights.finished;
    w->search.executions += crew.gone.executions;
    w->search.events += crew.gone.events;
    w->search.cut += crew.gone.cut;
    w->job->answer.counts.blocked += crew.gone.blocked;
}

void helpers_conclude(struct worker *w)
{
    crew.sights.finished = 0;
    answer_gather_sights(&w->job->answer, &crew.sights);
}
