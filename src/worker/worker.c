#define _GNU_SOURCE
#include "worker/worker.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/paths.h"
#include "base/raw.h"
#include "base/time.h"
#include "explore/search.h"
#include "target/threads/library/dynamic.h"
#include "target/threads/engine/snapshot.h"
#include "target/threads/engine/state.h"
#include "target/threads/memory/assembly.h"
#include "target/threads/engine/audit.h"
#include "target/threads/engine/blocks.h"
#include "target/threads/engine/client.h"
#include "target/threads/library/early.h"
#include "target/threads/engine/engine.h"
#include "target/threads/library/exits.h"
#include "target/threads/memory/forking.h"
#include "target/threads/engine/guard.h"
#include "target/threads/library/demangle.h"
#include "target/threads/memory/image.h"
#include "target/threads/library/library_calls.h"
#include "target/threads/library/modules.h"
#include "target/threads/libc/output.h"
#include "target/threads/outside/outside.h"
#include "target/threads/engine/stops.h"
#include "target/threads/pthread/surface.h"
#include "target/threads/memory/tls.h"
#include "target/threads/memory/unwind.h"
#include "target/threads/engine/watch.h"
#include "worker/bare.h"
#include "worker/clients.h"
#include "worker/ending.h"
#include "worker/matching.h"
#include "worker/orders.h"
#include "worker/outlook.h"
#include "worker/restart.h"
#include "worker/runs.h"
#include "worker/tolerated.h"
#include "worker/turns.h"
#include "worker/wanted.h"

struct worker {
    struct job *job;
    struct search search;
    double started;
    int trace_fd; // or -1
    uint64_t tick;
    uint64_t known[JOB_BUGS]; // signatures of the bugs that are kept
    uint64_t redundant;       // of searches before this one
    bool kept_steps;          // the steps of the execution at hand are kept, …
    uint32_t kept_start;      // … from here on, …
    uint32_t kept_count;      // … so many
    bool only_watching;       // what fails is none of its business
    bool matching;            // states are matched: what failed before one that is known counts all the same
    bool any_order;           // one execution of the strategy stands for all that are equivalent to it
    bool shown_by_other;      // the execution at hand fails, and an equivalent one shows it, with the steps …
    struct step other[JOB_STEPS];
};

static struct worker *the_worker; // for signal handlers, and where room runs out

static void finish(struct worker *w, enum job_end end)
{
    if (w->job->end == JOB_RUNNING)
        w->job->end = end;
}

static void publish(struct worker *w)
{
    struct job *job = w->job;
    job->executions = w->search.executions;
    job->events = w->search.events;
    job->cut = w->search.cut;
    job->redundant = w->redundant + w->search.strategy->redundant;
    job->dropped = engine.failures_dropped;
    job->account = w->search.strategy->account;
    if (engine.exec.count > job->deepest)
        job->deepest = engine.exec.count;
    engine.progress++;
}

static void keep_identities(struct job *job)
{
    job->threads = engine.exec.known;
    for (uint32_t i = 0; i < engine.exec.known; i++)
        job->thread[i] = (struct job_thread){engine.exec.actors[i].parent, engine.exec.actors[i].number};
}

// What is in the job is known.
static void keep_in_mind(struct worker *w)
{
    for (uint32_t i = 0; i < w->job->bugs; i++)
        w->known[i] = job_signature(w->job, &w->job->bug[i].bug);
}

static bool tolerates(const struct bug *bug)
{
    return job_tolerates(the_worker->job, bug);
}

// Whether a misuse stopped its thread in the execution at hand that has been ruled to be tolerated since: there the thread goes
// on, so that these are other executions.
static bool stopped_in_vain(const struct worker *w)
{
    for (uint32_t i = 0; i < engine.failure_count; i++)
        if (engine.failures[i].ends_call && job_tolerates(w->job, &engine.failures[i]))
            return true;
    return false;
}

// Its number among the bugs that are kept; `bugs` if it is not.
static uint32_t find_known(const struct worker *w, uint64_t signature)
{
    uint32_t which = 0;
    while (which < w->job->bugs && w->known[which] != signature)
        which++;
    return which;
}

// The steps of the execution at hand, which several bugs may share. False if there is no room for them.
static bool keep_steps(struct worker *w)
{
    struct job *job = w->job;
    uint32_t steps = engine.exec.count;
    if (w->kept_steps)
        return true;
    if (job->steps_used + steps > JOB_STEPS)
        return false;
    memcpy(job->steps + job->steps_used, w->shown_by_other ? w->other : engine.steps, steps * sizeof *engine.steps);
    if (job->major_steps)
        steps = turns_drop_minor(job, job->steps + job->steps_used, steps);
    w->kept_start = job->steps_used;
    w->kept_steps = true;
    w->kept_count = steps;
    job->steps_used += steps;
    return true;
}

// Bugs by their numbers, for the failures of the execution at hand that stand in `after`.
static void note_after(struct job_bug *kept, const struct bug *bug, const uint32_t *numbers)
{
    memset(kept->after, 0, sizeof kept->after);
    kept->follows = (uint32_t)__builtin_popcount(bug->after);
    for (uint32_t i = 0; i < MAX_FAILURES; i++)
        if (bug->after >> i & 1 && numbers[i] < JOB_BUGS)
            kept->after[numbers[i] / 64] |= 1ull << (numbers[i] % 64);
}

enum { NO_RACES_KEPT = 64 }; // places that races leave to others, since there may be very many

// Keeps what is new, and what was only ever seen to follow another failure and comes first this time. Returns its number, or
// JOB_BUGS if there is no room.
static uint32_t keep_bug(struct worker *w, const struct bug *bug, const uint32_t *numbers)
{
    struct job *job = w->job;
    uint64_t signature = job_signature(job, bug);
    uint32_t which = find_known(w, signature);
    if (job->ask && job_tolerates(job, bug))
        return JOB_BUGS;
    bool is_new = which == job->bugs;
    if (!is_new && (!job->bug[which].follows || bug->after))
        return which;
    if ((is_new && which + (bug->kind == BUG_RACE ? NO_RACES_KEPT : 0) >= JOB_BUGS) || !keep_steps(w)) {
        engine.failures_dropped += is_new;
        return is_new ? JOB_BUGS : which;
    }
    w->known[which] = signature;
    struct job_bug *kept = &job->bug[which];
    kept->bug = *bug;
    kept->execution = job->executions_before + w->search.executions;
    kept->start = w->kept_start;
    kept->steps = w->kept_count;
    kept->turns = engine.turns && !job->major_steps;
    kept->unlocks = turns_unlocks(job);
    kept->racy = job->learnt.racy_count;
    kept->client = job->client.at;
    note_after(kept, bug, numbers);
    job->bugs += is_new;
    keep_identities(job);
    return which;
}

static bool learn_racy_word(struct job *job, uint64_t word)
{
    for (uint32_t i = 0; i < job->learnt.racy_count; i++)
        if (job->learnt.racy[i] == word)
            return false;
    if (job->learnt.racy_count == RACY_WORDS) {
        cannot_follow("more words race than heddle makes visible (2048)");
        return false;
    }
    job->learnt.racy[job->learnt.racy_count++] = word;
    return true;
}

// --races=explore: the words that race become visible, and the search begins anew.
static bool learn_racy(struct worker *w, const struct bug *bug)
{
    bool fresh = false;
    for (uint64_t a = bug->address & ~7ull; a < bug->address + bug->size; a += 8)
        fresh |= learn_racy_word(w->job, a);
    return fresh;
}

// All are kept before anything becomes visible: the run that shows them was made without.
static bool keep_failures(struct worker *w, bool *again)
{
    const struct job *job = w->job;
    uint32_t numbers[MAX_FAILURES];
    bool found = false;
    w->kept_steps = false;
    for (uint32_t i = 0; i < engine.failure_count; i++)
        numbers[i] = wanted_is(job, &engine.failures[i]) ? keep_bug(w, &engine.failures[i], numbers) : JOB_BUGS;
    for (uint32_t i = 0; i < engine.failure_count; i++) {
        const struct bug *bug = &engine.failures[i];
        if (!wanted_is(job, bug))
            continue;
        if (bug->kind == BUG_RACE && engine.explore_races)
            *again |= learn_racy(w, bug);
        else
            found = true;
    }
    return found;
}

static void note_cut(struct job *job)
{
    if (job->cut_pc || !engine.exec.count)
        return;
    uint32_t actor = engine.exec.events[engine.exec.count - 1].actor;
    job->cut_pc = (uint64_t)(uintptr_t)engine.threads[actor].request.pc;
    job->cut_actor = actor;
}

// Blocks of a position-independent program are known from one attempt to the next by where they are in its file.
static void copy_blocks(uint64_t *to, const uint64_t *from, uint32_t count, const struct job *job, bool into_job)
{
    uint64_t first = into_job ? job->base : 0;
    for (uint32_t i = 0; i < count; i++) {
        bool inside = job->base && from[i] >= first && from[i] - first < job->program_size;
        to[i] = !inside ? from[i] : into_job ? from[i] - job->base : from[i] + job->base;
    }
}

static void distrust(struct job *job, enum distrust what)
{
    if (job->learnt.distrust < what)
        job->learnt.distrust = what;
}

// What was learnt for the next attempt.
static void keep_lessons(struct job *job)
{
    job->learnt.unlock_visible |= engine.unlock_visible && !engine.turns;
    job->learnt.mixed = engine.mixed;
    job->learnt.crowded = engine.crowded;
    job->learnt.shares = engine.shares;
    job->learnt.rounds_seen = engine.rounds_seen;
    job->learnt.merged_count = engine.merged_count;
    bool fresh = !engine.expected_count;
    for (uint32_t i = 0; i < engine.expected_count; i++)
        fresh |= learn_racy_word(job, engine.expected[i]);
    if (!fresh)
        cannot_follow("the program's annotations expect races on more words than heddle explores (256)");
    copy_blocks(job->learnt.merged, engine.merged, engine.merged_count, job, true);
    job->learnt.needs_fork |= engine.outside.fork || engine.long_prefix;
    if (engine.long_prefix)
        job->learnt.long_prefix = engine.long_prefix;
    if (engine.unlogged[0])
        memcpy(job->learnt.unlogged, engine.unlogged, sizeof job->learnt.unlogged);
    if (engine.missed.area) {
        job->learnt.missed = engine.missed;
        distrust(job, DISTRUST_UNDO);
    }
    job->learnt.needs_place |= engine.outside.place;
    job->learnt.dynamic = dynamic_wanted;
    if (engine.outside.pc && !job->learnt.outside_pc) {
        memcpy(job->learnt.outside_call, engine.outside.call, sizeof job->learnt.outside_call);
        job->learnt.outside_pc = engine.outside.pc;
    }
}

// What failed before the execution had to be given up did fail.
static void keep_what_failed(struct worker *w)
{
    bool again = false;
    if (engine.failure_count && !w->only_watching && !w->shown_by_other)
        keep_failures(w, &again);
}

// Whether there is a safer way to go back, so that it need not be the program's doing that an execution was another one when
// it was repeated.
static bool may_be_heddle(const struct job *job)
{
    return job->restart == RESTART_AUTO && !engine.forking && !engine.real && !engine.record;
}

static void tell_missed(struct job *job)
{
    job->learnt.missed = engine.missed;
    snprintf(job->reason, sizeof job->reason, "memory was not as before after going back: a write was missed");
}

// A lesson comes before all else: once something new is visible, schedules from before no longer fit.
static bool cannot_go_on(struct worker *w)
{
    struct job *job = w->job;
    bool missed = engine.again && engine.missed.area && !may_be_heddle(job);
    if (engine.again && !missed)
        keep_lessons(job);
    if (missed) { // the user has said how to go back
        tell_missed(job);
        finish(w, JOB_DIVERGED);
    } else if (engine.again && !engine.unsupported[0]) {
        finish(w, JOB_AGAIN);
    } else if (engine.unsupported[0]) {
        snprintf(job->reason, sizeof job->reason, "%s", engine.unsupported);
        keep_what_failed(w);
        finish(w, JOB_UNSUPPORTED);
    } else if (engine.late) {
        keep_what_failed(w);
        finish(w, job->interrupt ? JOB_INTERRUPTED : JOB_TIME);
    } else if (engine.stuck) {
        keep_what_failed(w);
        job->cut_pc = engine.stuck_pc;
        job->cut_actor = engine.stuck_actor;
        finish(w, JOB_STUCK);
    } else if (engine.diverged && may_be_heddle(job)) {
        keep_lessons(job);
        distrust(job, engine.undoing ? DISTRUST_UNDO : DISTRUST_MEMORY);
        finish(w, JOB_AGAIN);
    } else if (engine.diverged) {
        snprintf(job->reason, sizeof job->reason,
                 engine.verifying ? "memory was not as before after going back: a write was missed"
                                  : "an execution did not follow its schedule when it was repeated: the program depends "
                                    "on something heddle does not control");
        job->difference = engine.difference;
        finish(w, JOB_DIVERGED);
    }
    return job->end != JOB_RUNNING;
}

// Whether the execution that has just ended does the same again. The first one is asked more often than the others, of
// which there may be none, unless it is very long; of those only the second, the fourth, and so on. None is asked if files
// may change for good: the next execution may find others.
static bool repeats(struct worker *w)
{
    const int times = 3;
    const double enough = 0.5; // seconds
    uint64_t number = w->search.executions;
    if (!w->job->guard || w->job->allowed[0][0] || (number & (number - 1)))
        return true;
    for (int i = 0; i < (number == 1 ? times : 1); i++)
        if (!guard_repeat())
            return false;
        else if (time_now() - w->started > enough)
            break;
    return true;
}

// Whether a run that is only repeated has come to its last step and failed: whoever goes on for ever shows nothing more.
static bool has_shown_it(const struct worker *w)
{
    return engine.preemptions && engine.failure_count && engine.exec.count >= w->job->prefix_steps;
}

// Asked at every tick, wherever the program is: whether an execution that does not end by itself has to end now. One that is
// about to has a moment for it, and after Ctrl-C, when what was found is repeated once more, a longer one.
static bool is_late(void)
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
           (w->job->seconds > 0 && time > w->started + w->job->seconds + moment);
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

// Which bugs are tolerated only the supervisor knows; the search stands still until it has looked at the new ones, and has
// taken those out of the job that are.
static void ask_about_new(struct worker *w)
{
    static const struct timespec moment = {.tv_nsec = 500000};
    struct job *job = w->job;
    if (job->bugs == job->ruled)
        return;
    job->asked = job->bugs;
    while (job->ruled < job->asked && !job->interrupt)
        raw_call(SYS_nanosleep, (long)&moment, 0, 0);
    keep_in_mind(w);
}

// Whether the execution at hand has failed in a way that ends the search.
static bool is_refused(const struct worker *w)
{
    for (uint32_t i = 0; i < engine.failure_count; i++) {
        const struct bug *bug = &engine.failures[i];
        if (wanted_is(w->job, bug) && !(bug->kind == BUG_RACE && engine.explore_races) && !job_tolerates(w->job, bug))
            return true;
    }
    return false;
}

// There were more failures in an execution than are kept of one. Those that are tolerated are not kept next time.
static bool has_hidden_some(const struct worker *w, uint32_t tolerated_before)
{
    return w->job->ask && engine.failures_dropped && w->job->tolerated > tolerated_before;
}

// Whether what failed in the execution at hand ends the search.
static bool ends_by_failure(struct worker *w)
{
    struct job *job = w->job;
    bool again = false;
    uint32_t tolerated = job->tolerated;
    bool found = engine.failure_count && keep_failures(w, &again);
    if (engine.failure_count && job->ask) {
        ask_about_new(w);
        found = is_refused(w);
        again &= !found || job->keep_going; // or the search ends here
    }
    if (again || has_hidden_some(w, tolerated) || stopped_in_vain(w))
        finish(w, JOB_AGAIN);
    else if (found && !job->keep_going)
        finish(w, JOB_BUG);
    return job->end != JOB_RUNNING;
}

// Estimates how much is done, and gives up what cannot be done in the time.
static bool is_hopeless(struct worker *w, double passed)
{
    if (outlook_is_due(&w->search, w->job, passed)) {
        outlook_look(&w->search, w->job, passed, false);
        if (ends_by_failure(w) || cannot_go_on(w))
            return false;
    }
    return outlook_is_hopeless(w->job, passed);
}

static double reserve(const struct worker *w)
{
    return w->search.strategy && w->search.strategy->estimate ? outlook_reserve(w->job->seconds) : 0;
}

static bool out_of_time(struct worker *w)
{
    struct job *job = w->job;
    if (job->interrupt) {
        finish(w, JOB_INTERRUPTED);
        return true;
    }
    if (engine.ticks == w->tick)
        return false;
    w->tick = engine.ticks;
    double passed = time_now() - w->started;
    if (job->seconds > 0 && passed > job->seconds - reserve(w))
        finish(w, JOB_TIME);
    else if (w->search.strategy && is_hopeless(w, passed)) // there is none while orders of a client are tried
        finish(w, JOB_TOO_LARGE);
    return job->end != JOB_RUNNING;
}

static bool on_leaf(void *context, bool whole)
{
    struct worker *w = context;
    struct job *job = w->job;
    publish(w);
    if (cannot_go_on(w) || (!repeats(w) && cannot_go_on(w)))
        return false;
    if (unlikely(engine.watching))
        watch_pin_down();
    if (engine.keeps_output)
        output_show(w->search.executions);
    bool in_part = whole && given_up();
    if (w->only_watching || (in_part && !((w->matching || engine.turns) && engine.failure_count)))
        return !out_of_time(w);
    enum ending ending = whole && !in_part ? ending_judge() : ENDING_WHOLE;
    bool blocked = ending != ENDING_WHOLE;
    job->blocked += blocked;
    job->finished += whole && !in_part && ending != ENDING_BLOCKED;
    job->assumed |= blocked && engine.assumed;
    job->wrote_plainly |= engine.wrote_plainly;
    for (; job->plain_reads < engine.plain_reads; job->plain_reads++)
        job->plain_read[job->plain_reads] = (uint64_t)(uintptr_t)engine.plain_read[job->plain_reads];
    if (engine.status)
        job->status_seen = (uint32_t)engine.status;
    if (!whole)
        note_cut(job);
    w->shown_by_other = client_run.job && client_run.client && whole && !in_part && !blocked &&
                        clients_judge(!w->any_order, w->other);
    if (job->runs_fd >= 0 && whole && !blocked)
        runs_write(job, w->shown_by_other);
    if (job->unless_wanted && whole && !blocked && !in_part && wanted_escapes(job)) {
        job->escaped = 1;
        finish(w, JOB_BUG);
        return false;
    }
    if (unlikely(engine.failure_count) && ends_by_failure(w))
        return false;
    if (engine.unsupported[0])
        return !cannot_go_on(w);
    return !out_of_time(w);
}

static void note(struct job *job, const char *text)
{
    if (job->notes < JOB_NOTES)
        snprintf(job->note[job->notes++], JOB_NOTE_TEXT, "%s", text);
}

static void note_assembly(void *job, const char *sentence)
{
    note(job, sentence);
}

// What is said of functions that were called although heddle does not know what they do to memory.
struct unseen {
    struct job *job;
    char early[JOB_NOTE_TEXT], trusted[JOB_NOTE_TEXT], known[JOB_NOTE_TEXT]; // names
};

static void add_name(char *names, const char *name)
{
    size_t length = strlen(names);
    if (length + strlen(name) + 8 < JOB_NOTE_TEXT / 2)
        snprintf(names + length, JOB_NOTE_TEXT - length, "%s`%s'", length ? ", " : "", name);
    else if (length && names[length - 1] == '\'')
        strcat(names, ", …");
}

static void add_unseen(struct job *job, const struct library_call *call)
{
    char name[sizeof job->unseen_call->name];
    demangle(call->name, name, sizeof name);
    for (uint32_t i = 0; i < job->unseen_calls && i < UNSEEN_CALLS; i++)
        if (!strcmp(job->unseen_call[i].name, name))
            return; // in an earlier phase
    if (job->unseen_calls < UNSEEN_CALLS) {
        struct job_call *kept = &job->unseen_call[job->unseen_calls];
        memcpy(kept->name, name, sizeof name);
        snprintf(kept->library, sizeof kept->library, "%s", call->library);
        kept->pc = call->pc;
    }
    job->unseen_calls++;
}

static void tell_call(void *context, const struct library_call *call)
{
    struct unseen *u = context;
    char name[sizeof u->job->unseen_call->name];
    demangle(call->name, name, sizeof name);
    if (call->known)
        add_name(u->known, name);
    else if (call->trusted)
        add_name(u->trusted, call->name);
    else if (call->early)
        add_name(u->early, call->name);
    else
        add_unseen(u->job, call);
}

static void add_library(void *names, const char *name)
{
    add_name(names, name);
}

// Code before main and after it that is no part of the executions.
static void note_libraries(struct job *job)
{
    char names[JOB_NOTE_TEXT] = "", text[JOB_NOTE_TEXT];
    modules_not_followed(add_library, names);
    if (!names[0])
        return;
    snprintf(text, sizeof text, "constructors of %.120s ran before the search, and their destructors never run", names);
    note(job, text);
}

static void note_calls(struct job *job)
{
    struct unseen u = {.job = job};
    char text[JOB_NOTE_TEXT];
    library_calls_made(tell_call, &u);
    if (u.known[0]) {
        snprintf(text, sizeof text, "these functions of libraries use no memory but what heddle's table says: %.120s", u.known);
        note(job, text);
    }
    if (u.early[0]) {
        snprintf(text, sizeof text, "what %.120s did to memory while there was no other thread was not seen", u.early);
        note(job, text);
    }
    if (u.trusted[0]) {
        snprintf(text, sizeof text, "%.120s: they do nothing to memory that threads share, as --trust says", u.trusted);
        note(job, text);
    }
}

// Whether calls promise to make no more than so many steps. Then it matters how often a loop goes round, which is left out
// where threads in circles stop for good.
static bool counts_steps(void)
{
    for (uint32_t i = 0; client_run.job && i < client_run.job->operations; i++)
        if (client_run.job->operation[i].steps)
            return true;
    return false;
}

// What the engine has to do differently for a strategy.
static void prepare_for(struct worker *w, enum strategy_kind strategy)
{
    engine.joins_late = strategy_table[strategy].joins_late;
    w->any_order = strategy_table[strategy].any_order;
    engine.spin_stops = w->any_order && !engine.plain && !engine.rounds_seen && !counts_steps();
    w->matching = strategy == STRATEGY_STATES;
}

static void apply(struct worker *w, struct job *job)
{
    engine.plain = job->plain;
    engine.check_races = job->races != RACES_OFF && !job->plain; // atomics that order accesses would not be seen
    engine.explore_races = job->races == RACES_EXPLORE;
    engine.rounds_seen = job->learnt.rounds_seen;
    if ((job->learnt.shares || job->learnt.rounds_seen || job->plain) && job->strategy == STRATEGY_OPTIMAL) {
        job->strategy = STRATEGY_DPOR; // rwlocks.c says why; `optimal` lets threads that only wait go round for ever
        job->strategy_changed = 1;
    }
    prepare_for(w, job->strategy);
    engine.every_race = job->tell_apart;
    engine.reuse = job->reuse;
    engine.spurious = job->spurious;
    engine.fill = job->fill;
    engine.leaks = job->leaks;
    engine.status_matters = job->status_matters;
    job->turns_used = turns_count(job);
    engine.turns = job->turns_used;
    engine.unlock_visible = job->learnt.unlock_visible || engine.turns;
    engine.mixed = job->learnt.mixed;
    engine.crowded = job->learnt.crowded;
    engine.shares = job->learnt.shares;
    engine.merged_count = job->learnt.merged_count;
    copy_blocks(engine.merged, job->learnt.merged, job->learnt.merged_count, job, false);
    snapshot_begin();
    engine.racy = job->learnt.racy;
    engine.racy_count = job->learnt.racy_count;
    for (uint32_t i = 0; i < job->learnt.racy_count; i++)
        shadow_cell(&engine.races.shadow, job->learnt.racy[i])->state |= CELL_VISIBLE;
    for (uint32_t i = 1; i < job->threads; i++) {
        engine.exec.actors[i].parent = job->thread[i].parent;
        engine.exec.actors[i].number = job->thread[i].number;
    }
    if (job->threads > engine.exec.known) {
        engine.exec.known = job->threads;
        clock_pool_widen(&engine.exec.clocks, job->threads);
    }
}

// Whether what undo left is right is looked at once more before anything is said. Where the time is over it is too late to begin
// anew: then what the strategy claims to have covered is not said.
static void audit_search(struct worker *w, enum search_end end)
{
    struct job *job = w->job;
    bool timed_out = job->end == JOB_TIME || job->end == JOB_TOO_LARGE;
    if (job->bare || (end == SEARCH_STOPPED && !timed_out))
        return;
    audit_end(job->client.mode != CLIENT_RUN);
    if (!engine.missed.area || !timed_out || !may_be_heddle(job))
        return;
    keep_lessons(job);
    engine.again = false;
    w->search.strategy->account = (struct account){0};
}

// How much of the search was done that has just ended.
static void look_back(struct worker *w, enum search_end end)
{
    struct job *job = w->job;
    bool bounded = end == SEARCH_EXECUTIONS || job->end == JOB_TIME || job->end == JOB_TOO_LARGE ||
                   job->end == JOB_INTERRUPTED;
    if (end == SEARCH_DONE && w->search.strategy->estimate)
        job->share = (struct share){.likely = 1, .least = 1, .most = 1};
    else if (bounded && !job->bugs && !engine.late) {
        outlook_look(&w->search, job, time_now() - w->started, end == SEARCH_EXECUTIONS);
        ends_by_failure(w);
    }
}

static void search(struct worker *w, enum strategy_kind strategy, uint64_t most)
{
    struct job *job = w->job;
    struct strategy_options options = {.root = job->prefix_steps,
                                       .prefix = job->steps,
                                       .preemptions = job->preemptions,
                                       .depth = job->depth,
                                       .unlocks = job->learnt.unlock_visible,
                                       .seed = job->seed,
                                       .runs = job->max_executions,
                                       .known = matching_known,
                                       .look_on = engine.check_races && !w->only_watching};
    w->search = (struct search){.strategy = strategy_new(strategy, &engine.target, &options),
                                .max_executions = most,
                                .max_steps = job->max_steps,
                                .leaf = on_leaf,
                                .context = w,
                                .executions = w->search.executions,
                                .events = w->search.events,
                                .cut = w->search.cut};
    if (job->bare)
        w->search.max_executions = 1;
    enum search_end end = search_run(&w->search);
    if (job->bare && !job->bugs) {
        w->started = time_now();
        w->search.events = bare_repeat(job->bare);
        w->search.executions = job->bare;
    }
    look_back(w, end);
    audit_search(w, end);
    cannot_go_on(w); // a strategy may also have run something to see whether it is owed
    if (end == SEARCH_DONE)
        finish(w, JOB_DONE);
    else if (end == SEARCH_EXECUTIONS)
        finish(w, JOB_EXECUTIONS);
    publish(w);
}

// Under a debugger the program has the debugger's terminal; to read from it would make another run of it.
static void prepare_for_debugger(const struct job *job)
{
    engine.real = true;
    stops_expect(&job->expected);
    const char *why = outside_renew();
    if (why)
        fprintf(stderr, "heddle: the working directory cannot be put back: %s\n", why);
    int null = open("/dev/null", O_RDONLY);
    dup2(null, STDIN_FILENO);
    close(null);
}

static void begin_recording(const struct worker *w)
{
    const struct job *job = w->job;
    turns_begin_counting(job);
    if (w->trace_fd < 0)
        return;
    engine.record = engine.closer = engine.follow_calls = true;
    record_open(w->trace_fd);
}

static bool must_stop(void *context)
{
    struct worker *w = context;
    engine.progress++;
    return cannot_go_on(w) || out_of_time(w);
}

// Whether states of clients may be matched. All writes to memory have to be known for that. (Who collects executions wants
// all of them.)
static bool may_match(const struct job *job)
{
    return job->client.match != MATCH_NEVER && engine.undoing && !engine.forking && !engine.record && job->runs_fd < 0 &&
           (job->strategy == STRATEGY_OPTIMAL || job->strategy == STRATEGY_DPOR);
}

static void note_states(struct client_job *clients, uint64_t states)
{
    clients->matched++;
    clients->states += states;
    clients->most_states = states > clients->most_states ? states : clients->most_states;
}

// Searches the client in this way, for at most `room` executions. False if it did not come to an end in them.
static bool search_client(struct worker *w, enum strategy_kind strategy, uint64_t room)
{
    struct job *job = w->job;
    uint64_t done = w->search.executions, limit = job->max_executions, states = 0;
    if (counts_steps() && strategy == STRATEGY_OPTIMAL)
        strategy = STRATEGY_DPOR; // `optimal` relies on threads that stop for good
    if (job->client.most && limit > job->client.most)
        limit = job->client.most;
    prepare_for(w, strategy);
    if (w->matching)
        state_prepare();
    clients_start();
    if (w->matching)
        matching_begin();
    search(w, strategy, room < limit - done ? done + room : limit);
    if (w->matching)
        states = matching_end();
    w->redundant += w->search.strategy->redundant;
    w->search.strategy->free(w->search.strategy);
    w->search.strategy = NULL;
    if (job->end == JOB_EXECUTIONS && w->search.executions < limit) {
        job->end = JOB_RUNNING;
        return false;
    }
    if (w->matching && !w->only_watching)
        note_states(&job->client, states);
    return true;
}

// Goes through the states of a client once more, if there are few, to see who blocks whom. Letting a lock go has to be a step
// for that, or nobody would ever stand still with a lock.
static void watch(struct worker *w)
{
    enum { CALLS = 3, ROOM = 20000 };
    struct job *job = w->job;
    const struct search before = w->search;
    bool unlock_visible = engine.unlock_visible;
    if (!job->client.watch || !may_match(job) || job->end != JOB_DONE || client_run.client->calls > CALLS)
        return;
    job->end = JOB_RUNNING;
    w->only_watching = engine.unlock_visible = true;
    job->client.watched += search_client(w, STRATEGY_STATES, ROOM) && job->end == JOB_DONE;
    w->only_watching = false;
    engine.unlock_visible = unlock_visible;
    w->search = before;
    if (job->end == JOB_RUNNING || job->end == JOB_EXECUTIONS)
        job->end = JOB_DONE;
}

// A client may have few executions or few states, and which it is shows only by trying: each is given ever more room.
static void explore_executions(struct worker *w)
{
    const struct job *job = w->job;
    uint64_t few = 2000, more = 1 << 16;
    if (!may_match(job))
        search_client(w, job->strategy, UINT64_MAX);
    else if (job->client.match == MATCH_ALWAYS)
        search_client(w, STRATEGY_STATES, UINT64_MAX);
    else
        while (!search_client(w, job->strategy, few) && !search_client(w, STRATEGY_STATES, more)) {
            few = more;
            more *= 16;
        }
    watch(w);
}

static void explore_client(struct worker *w)
{
    struct job *job = w->job;
    bool too_many;
    client_run.client = &job->client.client[job->client.at];
    if (clients_find_orders(must_stop, w, job->max_steps, &too_many)) {
        begin_recording(w);
        explore_executions(w);
        if (job->end != JOB_AGAIN)
            job->client.outcomes += orders_outcomes();
    } else if (too_many) {
        snprintf(job->reason, sizeof job->reason, "the client has more orders of calls than heddle keeps (131072)");
        finish(w, JOB_UNSUPPORTED);
    } else if (!cannot_go_on(w)) {
        finish(w, JOB_TIME);
    }
}

// One client after the other; an attempt that learnt something goes on with the one under way. In front of each of them the
// program goes back to its beginning.
static void explore_clients(struct worker *w)
{
    struct client_job *clients = &w->job->client;
    for (;;) {
        explore_client(w);
        if (w->job->end == JOB_EXECUTIONS && clients->most) {
            clients->unfinished[clients->at] = 1;
            clients->left++;
            w->job->end = JOB_DONE;
        }
        if (w->job->end != JOB_DONE || clients->at + 1 >= clients->clients)
            return;
        clients->executions += w->search.executions;
        clients->events += w->search.events;
        w->search.executions = w->search.events = 0;
        clients->at = clients->at + 1;
        w->job->end = JOB_RUNNING;
    }
}

// Such threads would sleep in the kernel, and with them all others: they are fibers of one kernel thread.
static bool refuses_threads(struct worker *w)
{
    const char *name = image_foreign_threads();
    if (!name)
        return false;
    snprintf(w->job->reason, sizeof w->job->reason,
             "the program uses %s, whose threads heddle does not follow: let the test call the same code from threads of "
             "pthread_create", name);
    finish(w, JOB_UNSUPPORTED);
    return true;
}

// What is said of the search when it is over.
static void conclude(struct worker *w)
{
    struct job *job = w->job;
    keep_identities(job);
    job->preemptions_seen = turns_preemptions(job);
    job->endless = engine.endless_seen;
    job->waits |= engine.waits_seen;
    job->weak_orders |= (engine.orders_seen & ~(1u << __ATOMIC_SEQ_CST)) != 0;
    if (engine.used_checkpoints)
        job->restart_used = RESTART_CHECKPOINT;
    if (engine.started_processes)
        note(job, "processes that the program starts run on their own: heddle neither controls nor sees them");
    if (job->learnt.missed.area)
        job->learnt.missed = engine.missed;
    if (engine.endless_seen)
        note(job, "threads that go round for ever, only taking locks and letting them go, were followed for one round");
    if (engine.too_many && job->end == JOB_DONE) {
        snprintf(job->reason, sizeof job->reason,
                 "more threads live at once than heddle follows (255): it was searched with as many as that");
        job->end = JOB_UNSUPPORTED;
    }
    if (engine.volatile_seen)
        note(job, "volatile accesses count as sequentially consistent atomic ones");
    if (engine.recursive_wait)
        note(job, "a wait lets go of one level of a recursive mutex and keeps the others, as in glibc; POSIX leaves that open");
    if (exits_by_last_thread())
        note(job, "handlers do not depend on which thread runs them, where main has ended and the last thread does");
    assembly_describe(note_assembly, job);
    note_calls(job);
    note_libraries(job);
}

// There is no way on from here, and no way back: the process ends after this.
static void tell_out_of_room(const char *what)
{
    struct worker *w = the_worker;
    struct job *job = w->job;
    engine.running = NULL;
    if (job->end != JOB_RUNNING)
        return;
    snprintf(job->reason, sizeof job->reason, "there is no room left for %s", what);
    w->search.executions++;
    if (w->search.strategy)
        publish(w);
    else
        job->executions = w->search.executions;
    keep_what_failed(w);
    conclude(w);
    if (engine.record)
        record_close();
    job->run_seconds = time_now() - w->started;
    finish(w, JOB_UNSUPPORTED);
}

// What libraries did before main goes with the program, as far as it can.
static bool refuses_beginning(struct worker *w)
{
    const char *trouble = early_end();
    if (!trouble)
        return false;
    snprintf(w->job->reason, sizeof w->job->reason, "%s", trouble);
    finish(w, JOB_UNSUPPORTED);
    return true;
}

// From the beginning of main to the end of the search.
static void explore(void *context)
{
    struct worker *w = context;
    struct job *job = w->job;
    if (job->client.mode == CLIENT_RUN) {
        explore_clients(w);
    } else {
        begin_recording(w);
        engine_first_run();
        search(w, job->strategy, job->max_executions);
    }
    conclude(w);
    if (engine.record)
        record_close();
    if (engine.real && !stops_failed())
        fprintf(stderr, "heddle: the run has ended without the failure of the schedule\n");
}

static void explore_in_children(struct worker *w)
{
    if (!forking_run(explore, w))
        cannot_go_on(w);
}

void worker_run(struct job *job, int (*program)(int, char **, char **), int argc, char **argv, char **envp)
{
    static struct worker w;
    restart_prepare(job);
    engine.beats = &job->beats;
    engine.death = &job->death;
    engine.is_late = job->real ? NULL : is_late;
    w.job = job;
    the_worker = &w;
    fail_out_of_room = tell_out_of_room;
    keep_in_mind(&w); // those of an attempt before this one
    if (job->ask)
        engine.tolerates = tolerates;
    engine.outlives = tolerates;
    engine.outlives_all = job->outlives_all;
    engine.foreign_from = UINT64_MAX;
    engine.main = program;
    engine.argc = argc;
    engine.argv = argv;
    engine.envp = envp;
    image_program(&job->base, &job->program_size);
    engine_init(job->max_steps, job->current, &job->current_steps);
    engine.exec.any_unlocks = job->outlived || job->outlives_all;
    if (refuses_threads(&w) || refuses_beginning(&w))
        return;
    apply(&w, job);
    dynamic_open(&job->learnt.dynamic);
    restart_choose(job);
    if (!job->plain)
        library_calls_watch(job->trusted);
    if (job->runs_fd >= 0 || job->blocks.ranges)
        sites_follow();
    blocks_use(&job->blocks);
    if (job->real)
        prepare_for_debugger(job);
    engine.swap_tls = tls_is_used() && !engine.real;
    failure_catch_signals();
    // C++ counts references in another way before the first thread is created: in the first run, and never again.
    __libc_single_threaded = 0;
    if (job->plain && job->trace_fd >= 0)
        unwind_prepare();
    cxx_prepare_streams();
    tzset(); // what the C library knows of the local time is in the image then, and not made anew in each execution
    image_take();
    audit_begin((enum audit_mode)job->undo_check, job->seed);
    if (job->learnt.missed.area && job->learnt.missed.area <= MISSED_STACK && !job->learnt.missed.pc && !engine.undoing && !engine.forking && !job->real)
        watch_begin(&job->learnt.missed);
    w.trace_fd = job->trace_fd < 0 ? -1 : restart_out_of_the_way(job->trace_fd);
    w.started = time_now();
    if (job->client.mode)
        client_run.job = &job->client;
    if (engine.forking) {
        explore_in_children(&w);
    } else {
        failure_start_timer();
        explore(&w);
    }
    job->run_seconds = time_now() - w.started;
}
