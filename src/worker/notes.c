#include "worker/notes.h"

#include <stdio.h>
#include <string.h>

#include "model/framework.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/memory/memory_room.h"
#include "worker/findings.h"

void notes_add(struct job *job, const char *text)
{
    if (job->answer.notes < JOB_NOTES)
        snprintf(job->answer.note[job->answer.notes++], JOB_NOTE_TEXT, "%s", text);
}

static void note_assembly(void *job, const char *sentence)
{
    notes_add(job, sentence);
}

// Names of functions that the program called although heddle does not know what they do to memory.
struct unseen {
    struct job *job;
    char early[JOB_NOTE_TEXT], trusted[JOB_NOTE_TEXT], known[JOB_NOTE_TEXT]; // names
    bool framework; // functions of the test framework were called
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
    char name[sizeof job->answer.unseen_call->name];
    demangle(call->name, name, sizeof name);
    for (uint32_t i = 0; i < job->answer.unseen_calls && i < UNSEEN_CALLS; i++)
        if (!strcmp(job->answer.unseen_call[i].name, name))
            return; // in an earlier phase
    if (job->answer.unseen_calls < UNSEEN_CALLS) {
        struct job_call *kept = &job->answer.unseen_call[job->answer.unseen_calls];
        memcpy(kept->name, name, sizeof name);
        snprintf(kept->library, sizeof kept->library, "%s", call->library);
        kept->pc = call->pc;
    }
    job->answer.unseen_calls++;
}

static void tell_call(void *context, const struct library_call *call)
{
    struct unseen *u = context;
    char name[sizeof u->job->answer.unseen_call->name];
    demangle(call->name, name, sizeof name);
    if (call->known)
        add_name(u->known, name);
    else if (call->framework)
        u->framework = true;
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
    notes_add(job, text);
}

static void note_calls(struct job *job)
{
    struct unseen u = {.job = job};
    char text[JOB_NOTE_TEXT];
    library_calls_made(tell_call, &u);
    if (u.known[0]) {
        snprintf(text, sizeof text, "these functions of libraries use only the memory that heddle's table says: %.120s",
                 u.known);
        notes_add(job, text);
    }
    if (u.framework) {
        snprintf(text, sizeof text, "functions of %s do nothing to memory that threads share",
                 framework_traits(engine.rules.framework)->name);
        notes_add(job, text);
    }
    if (u.early[0]) {
        snprintf(text, sizeof text, "what %.120s did to memory while there was no other thread was not seen", u.early);
        notes_add(job, text);
    }
    if (u.trusted[0]) {
        snprintf(text, sizeof text, "%.120s: they do nothing to memory that threads share, as --trust says", u.trusted);
        notes_add(job, text);
    }
}

void notes_conclude(struct worker *w)
{
    struct job *job = w->job;
    job->answer.notes = 0;
    findings_keep_threads(job);
    job->answer.endless = engine.endless_seen;
    job->answer.waits |= engine.waits_seen;
    job->answer.weak_orders |= (engine.orders_seen & ~(1u << __ATOMIC_SEQ_CST)) != 0;
    if (engine.used_checkpoints)
        job->answer.restart_used = RESTART_CHECKPOINT;
    if (engine.started_processes)
        notes_add(job, "processes that the program starts run on their own: heddle neither controls nor sees them");
    if (engine.input_seen && !job->task.outside.input[0])
        notes_add(job, "the standard input is empty, and the program reads it (--stdin FILE: not empty)");
    if (engine.rules.calendar) {
        char text[96];
        snprintf(text, sizeof text, "the calendar begins %u seconds after 1970 in every execution (--allow clock)",
                 engine.rules.calendar);
        notes_add(job, text);
    }
    if (engine.follows_processes)
        notes_add(job,
                  "of processes that the program forks, races and uses of freed memory are looked for in memory that "
                  "they share, and in what each allocates");
    if (job->learnt.missed.area)
        job->learnt.missed = engine.missed;
    if (engine.endless_seen)
        notes_add(job,
                  "threads that go round for ever, only taking locks and letting them go, were followed for one round");
    if (engine.too_many && job->answer.end == JOB_DONE) {
        snprintf(job->answer.reason, sizeof job->answer.reason,
                 "more threads live at once than heddle follows (255); the search was limited to that many");
        job->answer.end = JOB_UNSUPPORTED;
    }
    if (w->matching && !client_run.job && job->task.strategy != STRATEGY_DFS)
        notes_add(job, "states of the program are the same if their fingerprints of 128 bits are");
    if (engine.exec.by_sources)
        notes_add(job, "beginnings of executions are the same if their fingerprints of 128 bits are");
    if (job->answer.account.stood_for > (double)job->answer.account.states || job->answer.account.left_to_others)
        notes_add(job, argument_array.count
                           ? "threads that are alike do not compare the addresses of their stacks, heaps and "
                             "arguments, and compute nothing from them"
                           : "threads that are alike do not compare the addresses of their stacks and heaps");
    if (w->matching && !client_run.job && ignored_count)
        notes_add(job, "what the program wants to be ignored (heddle_ignore) has no part in what it does");
    if (engine.volatile_seen)
        notes_add(job, "volatile accesses count as sequentially consistent atomic ones");
    if (engine.recursive_wait)
        notes_add(job,
                  "a wait lets go of one level of a recursive mutex and keeps the others, as in glibc; POSIX leaves "
                  "that open");
    if (engine.several_told)
        notes_add(
            job,
            "epoll tells of several descriptors in the order in which they were added; the kernel's order is that in "
            "which they became ready");
    if (exits_by_last_thread())
        notes_add(job,
                  "handlers do not depend on which thread runs them, where main has ended and the last thread does");
    assembly_describe(note_assembly, job);
    note_calls(job);
    note_libraries(job);
}
