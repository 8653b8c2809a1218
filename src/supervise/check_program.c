#include "supervise/check_program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/scratch.h"
#include "base/version.h"
#include "base/whole_file.h"
#include "supervise/again.h"
#include "supervise/anew.h"
#include "supervise/aside.h"
#include "supervise/declared.h"
#include "supervise/followers.h"
#include "supervise/globals.h"
#include "supervise/keeper.h"
#include "supervise/outcome.h"
#include "supervise/proposal.h"
#include "supervise/schedule_job.h"
#include "supervise/verdict.h"

static char *read_whole(int fd)
{
    struct stat st;
    if (fstat(fd, &st) || st.st_size <= 0)
        return NULL;
    size_t size = (size_t)st.st_size < 65536 ? (size_t)st.st_size : 65536;
    char *text = alloc_array(size + 1, 1);
    ssize_t n = pread(fd, text, size, 0);
    text[n > 0 ? n : 0] = 0;
    return text;
}

static void name_schedule(const struct check *check, size_t which, const char *kind, char *path)
{
    const char *base = strrchr(check->name, '/');
    base = base ? base + 1 : check->name;
    size_t length = strlen(base);
    const char *dot = strrchr(base, '.');
    char number[24] = "";
    if (dot && dot > base)
        length = (size_t)(dot - base);
    if (which)
        snprintf(number, sizeof number, "-%zu", which + 1);
    if (check->schedule_path && !which)
        snprintf(path, TEXT, "%s", check->schedule_path);
    else if (check->stem)
        snprintf(path, TEXT, "%s.%s%s.hd", check->stem, kind, number);
    else
        snprintf(path, TEXT, "%.*s.%s%s.hd", (int)length, base, kind, number);
}

// Describes the run by names, the failure and each event, so that a program that was built anew can be compared with it.
static void outline_run(const struct check *check, const struct report_bug *bug, struct schedule *s)
{
    struct finding finding;
    struct identity identity;
    finding_open(&finding, &(struct report_summary){.job = check->job}, bug);
    identity_make(&identity, &finding, check->test);
    s->failure = alloc_copy(identity.text.text);
    identity_free(&identity);
    finding_close(&finding);
    outline_read(&s->outline, bug->trace_path, check->job);
    if (s->outline.count > s->steps)
        s->outline.count = s->steps;
}

static bool keep_schedule(const struct check *check, const struct explanation *e, const struct report_bug *bug,
                          const char *path)
{
    struct schedule s = check->origin;
    const struct job *job = check->job;
    const char *program = check->subject.program;
    schedule_take_job(&s, job, program, e->bug.racy);
    s.bug = (char *)(uintptr_t)bug_name(e->bug.bug.kind);
    s.fingerprint = bug->fingerprint;
    s.unlock_visible = e->bug.unlocks;
    s.turns = e->bug.turns;
    s.round = e->bug.bug.round;
    s.steps = e->bug.steps;
    s.step = e->steps;
    s.failure = NULL;
    if (bug->trace_path)
        outline_run(check, bug, &s);
    struct whole_file file;
    bool good = whole_file_open(&file, path) && !whole_file_close(&file, !schedule_write(file.out, &s));
    if (!good)
        fprintf(stderr, "heddle: the schedule cannot be kept in %s: %s\n", path, strerror(errno));
    schedule_drop_words(&s);
    free(s.failure);
    outline_free(&s.outline);
    return good;
}

static char *make_temporary(char *path)
{
    int fd = scratch_file(path, TEXT);
    if (fd >= 0)
        close(fd);
    return path;
}

static void forget_examined(struct examined *x)
{
    identity_free(&x->identity);
    buffer_free(&x->message);
    buffer_free(&x->file);
    free(x->output);
    free(x->failures);
    if (x->trace[0])
        unlink(x->trace);
    *x = (struct examined){0};
}

static void record_run(struct check *check, struct examined *x, struct explanation *e)
{
    char path[TEXT];
    int output = open(make_temporary(path), O_RDWR);
    if (!x->trace[0])
        make_temporary(x->trace);
    x->recorded = explain_record(&check->subject, check->job, e, x->trace, output);
    free(x->failures);
    x->failures = e->failures;
    x->failure_count = e->failure_count;
    x->failure = e->failure;
    e->failures = NULL;
    free(x->output);
    x->output = output >= 0 && check->job->task.output != OUTPUT_NONE ? read_whole(output) : NULL;
    close(output);
    unlink(path);
}

// Records the run in which the bug was found, before it is shrunk. Time may cut shrinking short, and the name of a bug must not
// depend on that.
static void check_examine(struct outcome_room *o, uint32_t which)
{
    struct check *check = o->check;
    struct examined *x = &o->examined[which];
    struct explanation e;
    struct finding f;
    struct symbols_place place;
    forget_examined(x);
    x->bug = check->job->answer.bug[which];
    explain_bug(&check->subject, check->job, which, -1, &e);
    record_run(check, x, &e);
    x->happens = x->recorded || again_happens(&check->subject, check->job, &e);
    if (x->happens && !x->recorded) // perhaps in another way
        record_run(check, x, &e);
    struct report_bug shown = {.bug = &e.bug, .trace_path = x->recorded ? x->trace : NULL};
    finding_open(&f, &(struct report_summary){.job = check->job}, &shown);
    identity_make(&x->identity, &f, check->test);
    finding_sentence(&f, &x->message);
    if (finding_place(&f, &place)) {
        buffer_add(&x->file, "%s", place.file);
        x->line = place.line;
    }
    x->ruling = check->tolerance && x->happens ? tolerance_rule(check->tolerance, &x->identity, &x->rule) : RULING_NEW;
    x->seen = e.bug.bug;
    finding_close(&f);
    free(e.steps);
}

static bool is_same_bug(const struct job_bug *a, const struct job_bug *b)
{
    return bug_signature(&a->bug) == bug_signature(&b->bug) && a->bug.pc == b->bug.pc && a->bug.actor == b->bug.actor &&
           a->bug.other == b->bug.other && a->execution == b->execution && a->start == b->start && a->steps == b->steps;
}

// An attempt that was begun anew may have put other bugs in the place of those that were looked at.
static void examine_all(void *context, struct job *job)
{
    struct outcome_room *o = context;
    for (uint32_t i = 0; i < job->answer.bugs; i++) {
        if (i >= o->examined_count || !is_same_bug(&o->examined[i].bug, &job->answer.bug[i]))
            check_examine(o, i);
        if (i >= o->examined_count)
            o->examined_count = i + 1;
    }
    for (uint32_t i = job->answer.bugs; i-- > 0;)
        if (o->examined[i].ruling != RULING_NEW && o->examined[i].happens)
            aside_put(o, job, i);
    aside_tidy(job);
}

// Whether the explained run is the one that was examined.
static bool is_same_run(const struct job *job, uint32_t which, const struct explanation *e)
{
    const struct job_bug *bug = &job->answer.bug[which];
    return e->bug.steps == bug->steps && !memcmp(e->steps, job->steps + bug->start, bug->steps * sizeof *e->steps);
}

static struct report_bug report_of(const struct examined *x, const struct explanation *e)
{
    return (struct report_bug){.bug = &e->bug,
                               .trace_path = x->recorded ? x->trace : NULL,
                               .preemptions = e->preemptions,
                               .minimal = e->minimal,
                               .decisive = e->decisive,
                               .decisive_event = e->decisive_event,
                               .output = x->output,
                               .identity = x->identity.text.text,
                               .fingerprint = x->identity.fingerprint};
}

static void keep_path(struct outcome_room *o, const struct explanation *e, struct report_bug *bug)
{
    if (o->check->trial)
        return;
    char *path = o->paths[o->path_count];
    name_schedule(o->check, o->path_count++, bug_name(e->bug.bug.kind), path);
    if (keep_schedule(o->check, e, bug, path))
        bug->schedule_path = path;
}

// A bug that follows in the run that is shown has as many preemptions as the run has up to there.
static void count_for_followers(const struct check *check, const struct explanation *e, struct report_bug *bug)
{
    for (size_t i = 0; i < bug->follower_count; i++) {
        struct explanation follower = *e;
        if (bug->followers[i].elsewhere)
            continue;
        follower.bug.bug = bug->followers[i].bug->bug;
        bug->followers[i].unshrunk = true;
        again_count(&check->subject, check->job, &follower, &bug->followers[i].preemptions);
    }
}

static void explain_one(struct outcome_room *o, uint32_t which, double seconds)
{
    struct check *check = o->check;
    struct explanation *e = &o->explanations[which];
    struct examined *x = &o->examined[which];
    struct report_bug *bug = &o->bugs[o->count++];
    explain_bug(&check->subject, check->job, which, seconds, e);
    if (is_same_run(check->job, which, e))
        e->bug.bug = x->seen;
    else
        record_run(check, x, e);
    *bug = report_of(x, e);
    bug->unshrunk = check->explain_seconds <= 0;
    keep_path(o, e, bug);
    followers_add(o, which, bug);
    count_for_followers(check, e, bug);
}

// A bug that was seen only in another run than the one that is shown gets a schedule of its own.
static void explain_elsewhere(struct outcome_room *o)
{
    for (size_t i = 0; i < o->count; i++)
        for (size_t k = 0; k < o->bugs[i].follower_count; k++) {
            struct report_bug *follower = &o->bugs[i].followers[k];
            if (!follower->elsewhere)
                continue;
            uint32_t which = followers_number(o, follower);
            struct explanation *e = &o->explanations[which];
            explain_bug(&o->check->subject, o->check->job, which, 0, e);
            e->bug.bug = o->examined[which].seen;
            *follower = report_of(&o->examined[which], e);
            follower->elsewhere = follower->unshrunk = true;
            keep_path(o, e, follower);
        }
}

static void explain_all(struct outcome_room *o)
{
    uint32_t n = o->check->job->answer.bugs, fresh = 0;
    o->explained = n;
    o->explanations = alloc_zeroed(n + 1, sizeof *o->explanations);
    o->bugs = alloc_zeroed(n + 1, sizeof *o->bugs);
    o->paths = alloc_zeroed(n + 1, sizeof *o->paths);
    for (uint32_t i = 0; i < n; i++)
        fresh += followers_leader(o, i) == i;
    for (uint32_t i = 0; i < n; i++) {
        if (followers_leader(o, i) == i)
            explain_one(o, i, o->check->explain_seconds / fresh);
        else if (o->examined[i].ruling != RULING_NEW)
            aside_list(o, &o->examined[i]);
    }
    explain_elsewhere(o);
}

// Whether a race was found on a variable that is declared _Atomic, and not known before.
static bool learn_atomics(struct outcome_room *o, struct anew *anew)
{
    const struct job *job = o->check->job;
    bool fresh = false;
    for (uint32_t i = 0; i < job->answer.bugs && job->task.rules.races == RACES_REPORT && !anew->no_atomics; i++) {
        const struct bug *bug = &job->answer.bug[i].bug;
        struct buffer name = {0};
        if (bug->kind == BUG_RACE && declared_atomic(o->check->subject.program, job, bug, &name) &&
            anew_add_atomic(anew, bug->address, bug->size)) {
            fresh = true;
            anew_name_atomic(anew, buffer_text(&name));
            snprintf(anew->sentence, sizeof anew->sentence,
                     "the compiler reads %.100s, which is declared _Atomic, as if it were not: that counts as an "
                     "atomic load",
                     buffer_text(&name));
        }
        buffer_free(&name);
    }
    return fresh;
}

// The compiler never turns an atomic access into a plain write to such a variable, or into a plain read that is no index. So
// such a race is the program's own.
static bool takes_back_atomics(struct outcome_room *o, struct anew *anew)
{
    const struct job *job = o->check->job;
    if (!anew->atomics ||
        (!job->answer.wrote_plainly && declared_as_indices(o->check->subject.program, job, anew->names)))
        return false;
    anew->atomics = 0;
    anew->no_atomics = true;
    anew->sentence[0] = 0;
    return true;
}

// Runs the phases, which are kept if the user wants that, with what led to this search.
static int search_kept(struct outcome_room *o, const struct anew *anew)
{
    struct check *check = o->check;
    struct keeper *keeper = check->keeper;
    if (keeper) {
        keeper->context = alloc_resize(keeper->context, 1, sizeof *anew);
        memcpy(keeper->context, anew, sizeof *anew);
        keeper->context_bytes = sizeof *anew;
    }
    check->subject.keeper = keeper;
    check->subject.timeline = check->timeline;
    check->subject.fellows = check->fellows;
    int status = phases_run(&check->subject, check->job, &o->phases);
    check->subject.keeper = NULL;
    check->subject.timeline = NULL;
    check->subject.fellows = NULL;
    return status;
}

// Searches until everything that was found happens, or there is no safer way to search. Returns what run_job does.
static int search_until_sure(struct outcome_room *o)
{
    struct job *job = o->check->job;
    struct anew anew;
    int status;
    const struct keeper *keeper = o->check->keeper;
    anew_keep(&anew, job);
    if (keeper && keeper->resumes && keeper->search.context_bytes == sizeof anew)
        anew_remember(&anew, keeper->search.context);
    do {
        o->phases = (struct phases){0};
        status = search_kept(o, &anew);
        if (!status && (learn_atomics(o, &anew) || takes_back_atomics(o, &anew)) && anew_repeat(&anew, job))
            continue;
        if (!status)
            examine_all(o, job);
        if (status || !verdict_never_happened(o) || !anew_prepare(&anew, job))
            break;
    } while (true);
    job->task.seconds = anew.task.seconds;
    memcpy(o->atomics, anew.sentence, sizeof o->atomics);
    return status;
}

int check_run(struct check *check, struct outcome *outcome)
{
    struct outcome_room *o = alloc_zeroed(1, sizeof *o);
    struct judge judge = {examine_all, o};
    const struct task task = check->job->task; // the search changes it
    *outcome = (struct outcome){.room = o};
    o->check = check;
    check->subject.judge = &judge;
    check->subject.shows_output = check->job->task.output == OUTPUT_ALL;
    check->job->task.ask = check->job->task.rules.tell_apart = check->tolerance != NULL;
    if (search_until_sure(o))
        return 2;
    explain_all(o);
    outcome->summary = (struct report_summary){.program = check->name,
                                               .test = check->test,
                                               .job = check->job,
                                               .phases = o->phases.phase + o->phases.first,
                                               .phase_count = o->phases.count - o->phases.first,
                                               .history = o->phases.phase,
                                               .history_count = check->explain_search ? o->phases.count : 0,
                                               .bugs = o->bugs,
                                               .bug_count = o->count,
                                               .tolerated = o->tolerated,
                                               .tolerated_count = o->tolerated_count,
                                               .stacks = check->stacks,
                                               .seconds = check->job->answer.run_seconds,
                                               .executable = check->subject.program,
                                               .heddle = HEDDLE_VERSION};
    verdict_give(o, &outcome->summary);
    if (!check->trial)
        proposal_find(&outcome->summary.proposal, check, &task, &outcome->summary);
    return o->count ? 1 : outcome->summary.reason ? 3 : 0;
}

void outcome_free(struct outcome *outcome)
{
    struct outcome_room *o = outcome->room;
    proposal_free(&outcome->summary.proposal);
    for (uint32_t i = 0; i < o->explained; i++)
        free(o->explanations[i].steps);
    for (size_t i = 0; i < o->count; i++)
        followers_free(&o->bugs[i]);
    for (size_t i = 0; i < o->examined_count; i++)
        forget_examined(&o->examined[i]);
    free(o->explanations);
    free(o->bugs);
    free(o->paths);
    aside_free(o);
    free(o);
    *outcome = (struct outcome){0};
}
