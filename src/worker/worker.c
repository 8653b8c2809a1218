#define _GNU_SOURCE
#include "worker/worker.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/single_threaded.h>
#include <time.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/time.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/outside/outside_room.h"
#include "target/threads/pthread/pthread_room.h"
#include "worker/client_search.h"
#include "worker/findings.h"
#include "worker/halt.h"
#include "worker/helpers.h"
#include "worker/learning.h"
#include "worker/notes.h"
#include "worker/restart.h"
#include "worker/searching.h"
#include "worker/sharing.h"
#include "worker/turns.h"

// Tells the engine what the task asks of it, once it knows what earlier attempts have learnt.
static void adopt_task(struct worker *w, struct job *job)
{
    const struct rules *rules = &job->task.rules;
    engine.plain = job->task.plain;
    engine.rules = *rules;
    if (rules->memory_errors && !job->task.plain)
        engine.closer = engine.follow_calls = true;
    engine.check_races = rules->races != RACES_OFF && !job->task.plain; // atomics that order accesses would not be seen
    engine.explore_races = rules->races == RACES_EXPLORE;
    if (job->task.strategy == STRATEGY_RF && (job->learnt.write_order || job->learnt.merged_count)) {
        job->task.strategy = STRATEGY_OPTIMAL;
        job->answer.strategy_changed = CHANGED_RF;
    }
    bool one_per_trace = job->task.strategy == STRATEGY_OPTIMAL || job->task.strategy == STRATEGY_RF;
    if ((job->learnt.shares || job->learnt.rounds_seen || job->task.plain) && one_per_trace) {
        // rwlocks.c says why; `optimal` lets threads that only wait go round for ever
        job->task.strategy = STRATEGY_DPOR;
        job->answer.strategy_changed = CHANGED_OPTIMAL;
    }
    searching_prepare(w, job->task.strategy);
    job->answer.turns_used = turns_count(job);
    engine.turns = job->answer.turns_used;
    engine.unlock_visible = job->learnt.unlock_visible || engine.turns;
    snapshot_begin();
}

// Finds the actors that the given steps name.
static void name_actors(const struct job *job)
{
    for (uint32_t i = 1; i < job->threads.count; i++) {
        engine.exec.actors[i].parent = job->threads.thread[i].parent;
        engine.exec.actors[i].number = job->threads.thread[i].number;
    }
    if (job->threads.count > engine.exec.known) {
        engine.exec.known = job->threads.count;
        clock_pool_widen(&engine.exec.clocks, job->threads.count);
    }
}

// Under a debugger the program has the debugger's terminal; to read from it would make another run of it.
static void prepare_for_debugger(const struct job *job)
{
    engine.real = true;
    stops_expect(&job->task.expected);
    const char *why = outside_renew();
    if (why)
        fprintf(stderr, "heddle: the working directory cannot be put back: %s\n", why);
    const char *given = job->task.outside.input[0] ? job->task.outside.input_at : "/dev/null";
    int input = open(given, O_RDONLY);
    dup2(input, STDIN_FILENO);
    close(input);
}

// Such threads would sleep in the kernel, and with them all others: they are fibers of one kernel thread.
static bool refuses_threads(struct worker *w)
{
    const char *name = image_foreign_threads();
    if (!name)
        return false;
    snprintf(
        w->job->answer.reason, sizeof w->job->answer.reason,
        "the program uses %s, whose threads heddle does not follow: let the test call the same code from threads of "
        "pthread_create",
        name);
    halt_search(w, JOB_UNSUPPORTED);
    return true;
}

// There is no way on from here, and no way back: the process ends after this.
static void tell_out_of_room(const char *what)
{
    struct worker *w = the_worker;
    struct job *job = w->job;
    engine.running = NULL;
    if (job->answer.end != JOB_RUNNING)
        return;
    snprintf(job->answer.reason, sizeof job->answer.reason, "there is no room left for %s", what);
    w->search.executions++;
    searching_measure(job);
    if (w->search.strategy)
        searching_publish(w);
    else
        job->answer.counts.executions = w->search.executions;
    findings_keep(w);
    job->answer.preemptions_seen = turns_preemptions(job);
    notes_conclude(w);
    if (engine.record)
        record_close();
    job->answer.run_seconds = time_now() - w->started;
    halt_search(w, JOB_UNSUPPORTED);
}

// Takes over what libraries did before main, as far as that can be done.
static bool refuses_beginning(struct worker *w)
{
    const char *trouble = early_end();
    if (!trouble)
        return false;
    snprintf(w->job->answer.reason, sizeof w->job->answer.reason, "%s", trouble);
    halt_search(w, JOB_UNSUPPORTED);
    return true;
}

static void search_program(struct worker *w)
{
    const struct task *task = &w->job->task;
    if (w->matching) // a run that is repeated goes round if its memory does
        state_prepare(engine.check_races && task->strategy != STRATEGY_REPLAY ? ORDER_ALL : ORDER_NONE,
                      searching_takes_kin_together(w));
    if (task->only_races && task->strategy == STRATEGY_DPOR && engine.check_races && !task->rules.reuse) {
        journal_init(&engine.journal);
        engine.keeps_journal = true;
        engine.journal.flow = flows_find;
        engine.closer = true;
    }
    engine_first_run();
    if (w->matching)
        state_begin();
    if (sharing_begins(w))
        scout_first(w);
    if (w->job->answer.end == JOB_RUNNING)
        searching_run(w, task->strategy, task->max_executions);
    if (w->matching)
        state_end();
}

// From the beginning of main to the end of the search.
static void explore_program(void *context)
{
    struct worker *w = context;
    struct job *job = w->job;
    if (job->client.mode == CLIENT_RUN) {
        client_search_run(w);
    } else {
        searching_begin_recording(w);
        search_program(w);
    }
    notes_conclude(w);
    helpers_conclude(w);
    if (engine.record)
        record_close();
    if (engine.real && !stops_failed())
        fprintf(stderr, "heddle: the run has ended without the failure of the schedule\n");
}

static void explore_in_children(struct worker *w)
{
    if (!forking_run(explore_program, w))
        halt_cannot_go_on(w);
}

// How the supervisor sees that the engine lives, and which failures end nothing.
static void tell_engine_of(struct job *job)
{
    engine.beats = &job->answer.beats;
    engine.death = &job->answer.death;
    engine.is_late = job->task.real ? NULL : halt_is_late;
    if (job->task.ask)
        engine.tolerates = findings_tolerate;
    engine.outlives = findings_tolerate;
    engine.foreign_from = UINT64_MAX;
}

// The last before the first execution: from here on the program's memory is put back to what it is at the end of this.
static void prepare_program(const struct job *job)
{
    framework_prepare();
    terminate_prepare();
    exceptions_prepare();
    if (!job->task.plain)
        library_calls_watch(job->task.outside.trusted);
    if (job->task.runs_fd >= 0 || job->blocks.ranges)
        sites_follow();
    blocks_use(&job->blocks);
    if (job->task.real)
        prepare_for_debugger(job);
    engine.swap_tls = tls_is_used() && !engine.real;
    if (!engine.real)
        floats_prepare();
    failure_catch_signals();
    // C++ counts references in another way before the first thread is created: in the first run, and never again.
    __libc_single_threaded = 0;
    if (job->task.plain && job->task.trace_fd >= 0)
        unwind_prepare();
    cxx_prepare_streams();
    output_remember();
    tzset(); // what the C library knows of the local time is in the image then, and not made anew in each execution
    native_find_all();
    imported_find();
    image_take();
    audit_begin((enum audit_mode)job->task.undo_check, job->task.seed);
    if (job->learnt.missed.area && job->learnt.missed.area <= MISSED_STACK && !job->learnt.missed.pc &&
        !engine.undoing && !engine.forking && !job->task.real)
        watch_begin(&job->learnt.missed);
}

void worker_run(struct job *job, struct ledger *ledger, int (*program)(int, char **, char **), int argc, char **argv,
                char **envp)
{
    static struct worker w;
    restart_prepare(job);
    w.job = job;
    the_worker = &w;
    fail_out_of_room = tell_out_of_room;
    findings_remember(&w); // those of an attempt before this one
    tell_engine_of(job);
    engine.main = program;
    engine.argc = argc;
    engine.argv = argv;
    engine.envp = envp;
    image_program(&job->answer.base, &job->answer.program_size);
    engine_init(job->task.max_steps, job->current, &job->current_steps);
    engine.exec.any_unlocks = job->tolerated.outlived || job->task.rules.outlives_all;
    if (refuses_threads(&w) || refuses_beginning(&w))
        return;
    learning_apply(job);
    adopt_task(&w, job);
    name_actors(job);
    sharing_open(&w, ledger);
    dynamic_open();
    restart_choose(job);
    searching_choose_without_states(&w);
    if (job->answer.end != JOB_RUNNING)
        return;
    prepare_program(job);
    w.trace_fd = job->task.trace_fd < 0 ? -1 : restart_out_of_the_way(job->task.trace_fd);
    w.started = time_now();
    w.started_work = time_worked();
    if (job->client.mode)
        client_run.job = &job->client;
    tail_begin((enum tail_mode)job->task.tail);
    deep_stacks_begin();
    if (engine.forking) {
        explore_in_children(&w);
    } else {
        failure_start_timer();
        explore_program(&w);
    }
    job->answer.run_seconds = time_now() - w.started;
    job->answer.worked = scout_own_work(&w);
}
