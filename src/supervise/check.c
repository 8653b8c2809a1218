#include "supervise/check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/version.h"
#include "report/difference.h"
#include "report/missed.h"
#include "report/symbols.h"
#include "supervise/again.h"
#include "supervise/anew.h"
#include "supervise/declared.h"
#include "supervise/aside.h"
#include "supervise/followers.h"
#include "supervise/globals.h"
#include "supervise/outcome.h"
#include "supervise/scratch.h"
#include "supervise/suspect.h"

static char *read_whole(int fd)
{
    struct stat st;
    if (fstat(fd, &st) || st.st_size <= 0)
        return NULL;
    size_t size = (size_t)st.st_size < 65536 ? (size_t)st.st_size : 65536;
    char *text = malloc(size + 1);
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

static void name_words(const char *program, const uint64_t *addresses, uint32_t count, char **names)
{
    for (uint32_t i = 0; i < count; i++) {
        struct buffer name = {0};
        globals_name(program, addresses[i], &name);
        names[i] = name.text;
    }
}

// What the run is to a program that was built anew: the failure and each event by name.
static void outline_run(const struct check *check, const struct report_bug *bug, struct schedule *s)
{
    struct finding finding;
    struct identity identity;
    finding_open(&finding, &(struct report_summary){.job = check->job}, bug);
    identity_make(&identity, &finding, check->test);
    s->failure = buffer_copy(identity.text.text);
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
    s.directory = job->directory[0] ? (char *)(uintptr_t)job->directory : NULL;
    for (int i = 0; i < ALLOWED; i++)
        s.allowed[i] = job->allowed[i][0] ? (char *)(uintptr_t)job->allowed[i] : NULL;
    s.trusted = job->trusted[0] ? (char *)(uintptr_t)job->trusted : NULL;
    s.bug = (char *)(uintptr_t)bug_names[e->bug.bug.kind];
    s.fingerprint = bug->fingerprint;
    s.reuse = job->reuse;
    s.spurious = job->spurious;
    s.fill = job->fill;
    s.leaks = job->leaks;
    s.races = job->races == RACES_EXPLORE ? RACES_REPORT : job->races; // the words that were visible are, and no others
    s.unlock_visible = e->bug.unlocks;
    s.turns = e->bug.turns;
    s.outlives = job->outlived || job->outlives_all;
    s.build = globals_code_hash(program);
    name_words(program, job->learnt.merged, job->learnt.merged_count, s.merged);
    name_words(program, job->learnt.racy, e->bug.racy, s.racy);
    s.threads = job->threads;
    for (uint32_t i = 0; i < job->threads; i++) {
        s.thread[i].parent = job->thread[i].parent;
        s.thread[i].number = job->thread[i].number;
    }
    s.steps = e->bug.steps;
    s.step = e->steps;
    s.failure = NULL;
    if (bug->trace_path)
        outline_run(check, bug, &s);
    FILE *file = fopen(path, "w");
    bool good = file && !schedule_write(file, &s);
    good &= file && !fclose(file);
    if (!good)
        fprintf(stderr, "heddle: the schedule cannot be kept in %s: %s\n", path, strerror(errno));
    for (uint32_t i = 0; i < job->learnt.merged_count; i++)
        free(s.merged[i]);
    for (uint32_t i = 0; i < e->bug.racy; i++)
        free(s.racy[i]);
    free(s.failure);
    outline_free(&s.outline);
    return good;
}

static char *temporary(char *path)
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

static void record(struct check *check, struct examined *x, struct explanation *e)
{
    char path[TEXT];
    int output = open(temporary(path), O_RDWR);
    if (!x->trace[0])
        temporary(x->trace);
    x->recorded = explain_record(&check->subject, check->job, e, x->trace, output);
    free(x->failures);
    x->failures = e->failures;
    x->failure_count = e->failure_count;
    x->failure = e->failure;
    e->failures = NULL;
    free(x->output);
    x->output = output >= 0 && check->job->output != OUTPUT_NONE ? read_whole(output) : NULL;
    close(output);
    unlink(path);
}

// The run in which it was found, recorded as it is: shrinking may be cut short by time, and what a bug is called must not
// depend on that.
static void examine(struct outcome_room *o, uint32_t which)
{
    struct check *check = o->check;
    struct examined *x = &o->examined[which];
    struct explanation e;
    struct finding f;
    struct symbols_place place;
    forget_examined(x);
    x->bug = check->job->bug[which];
    explain_bug(&check->subject, check->job, which, -1, &e);
    record(check, x, &e);
    x->happens = x->recorded || again_happens(&check->subject, check->job, &e);
    if (x->happens && !x->recorded) // perhaps in another way
        record(check, x, &e);
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
    for (uint32_t i = 0; i < job->bugs; i++) {
        if (i >= o->examined_count || !is_same_bug(&o->examined[i].bug, &job->bug[i]))
            examine(o, i);
        if (i >= o->examined_count)
            o->examined_count = i + 1;
    }
    for (uint32_t i = job->bugs; i-- > 0;)
        if (o->examined[i].ruling != RULING_NEW && o->examined[i].happens)
            aside_put(o, job, i);
    aside_tidy(job);
}

// Whether the explained run is the one that was examined.
static bool is_same_run(const struct job *job, uint32_t which, const struct explanation *e)
{
    const struct job_bug *bug = &job->bug[which];
    return e->bug.steps == bug->steps && !memcmp(e->steps, job->steps + bug->start, bug->steps * sizeof *e->steps);
}

static struct report_bug reported(const struct examined *x, const struct explanation *e)
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
    char *path = o->paths[o->path_count];
    name_schedule(o->check, o->path_count++, bug_names[e->bug.bug.kind], path);
    if (keep_schedule(o->check, e, bug, path))
        bug->schedule_path = path;
}

// What follows in the run that is shown has as many preemptions as there are up to it.
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
        record(check, x, e);
    *bug = reported(x, e);
    bug->unshrunk = check->explain_seconds <= 0;
    keep_path(o, e, bug);
    followers_add(o, which, bug);
    count_for_followers(check, e, bug);
}

// One that was seen in another run only than the one that is shown has a schedule of its own.
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
            *follower = reported(&o->examined[which], e);
            follower->elsewhere = follower->unshrunk = true;
            keep_path(o, e, follower);
        }
}

static void explain_all(struct outcome_room *o)
{
    uint32_t n = o->check->job->bugs, fresh = 0;
    o->explained = n;
    o->explanations = buffer_zeroed(n + 1, sizeof *o->explanations);
    o->bugs = buffer_zeroed(n + 1, sizeof *o->bugs);
    o->paths = buffer_zeroed(n + 1, sizeof *o->paths);
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

// A place in the program, as far as its symbols tell.
static void name_place(const struct check *check, uint64_t pc, char *text)
{
    struct symbols *symbols = symbols_new();
    struct symbols_place place;
    bool known = symbols_add(symbols, check->subject.program, check->job->base) &&
                 symbols_places(symbols, pc, &place, 1) && place.file;
    if (known)
        snprintf(text, PLACE, "%s:%d", place.file, (int)place.line);
    else
        snprintf(text, PLACE, "0x%llx", (unsigned long long)pc);
    symbols_free(symbols);
}

static const char *why_different(const struct check *check, char *text)
{
    struct buffer sentence = {0};
    buffer_add(&sentence, "the program does not always do the same: ");
    difference_sentence(check->job, check->subject.program, &sentence);
    buffer_add(&sentence, "; ");
    suspect_add(check->subject.program, check->job, &sentence);
    snprintf(text, TEXT, "%s", buffer_text(&sentence));
    buffer_free(&sentence);
    return text;
}

static const char *name_missed(const struct check *check, const char *before, const char *after, char *text)
{
    struct buffer phrase = {0};
    missed_phrase(check->job, check->subject.program, &phrase);
    snprintf(text, TEXT, "%s%s%s", before, buffer_text(&phrase), after);
    buffer_free(&phrase);
    return text;
}

// Something was another time another thing, and heddle may have been at fault.
static const char *why_distrusted(const struct check *check, char *text)
{
    const struct job *job = check->job;
    if (missed_is_write(&job->learnt.missed))
        return name_missed(check, "undo did not take back ", ", which heddle does not see", text);
    if (job->learnt.missed.area)
        return name_missed(check, "after undo ", " is not as a fresh run has it", text);
    if (job->learnt.distrust == DISTRUST_UNDO)
        return "an execution was another one when it was run again, and undo may have been at fault";
    return "an execution was another one when it was run again in the same process";
}

// Why executions were started again in the way they were.
static const char *why_restarted(const struct check *check, char *text)
{
    const struct job *job = check->job;
    char place[PLACE];
    bool checkpoints = job->restart_used == RESTART_CHECKPOINT;
    if ((checkpoints || job->restart_used == RESTART_FORK) && job->learnt.outside_pc) {
        name_place(check, job->learnt.outside_pc, place);
        snprintf(text, TEXT, "the program calls %s at %s%s", job->learnt.outside_call, place,
                 checkpoints ? ", and its executions are long" : "");
    } else if (job->restart == RESTART_AUTO && job->learnt.long_prefix && job->plain) {
        snprintf(text, TEXT, "what the program changes in memory is not seen, and %u events would have to be repeated",
                 job->learnt.long_prefix);
    } else if (job->restart == RESTART_AUTO && job->learnt.long_prefix) {
        snprintf(text, TEXT, "what `%s' changes in memory is not known, and %u events would have to be repeated",
                 job->unlogged_by, job->learnt.long_prefix);
    } else if (job->restart != RESTART_AUTO) {
        snprintf(text, TEXT, "as --restart says");
    } else if (job->learnt.distrust) {
        return why_distrusted(check, text);
    } else if (job->plain) {
        snprintf(text, TEXT, "what the program changes in memory is not seen");
    } else if (job->restart_used == RESTART_REPLAY && !job->unlogged_by[0]) {
        snprintf(text, TEXT, "so that every execution prints all it has to (--output all)");
    } else if (job->restart_used == RESTART_REPLAY && !strncmp(job->unlogged_by, "a stack", 7)) {
        snprintf(text, TEXT, "a thread uses %s, too much to be copied at each step", job->unlogged_by);
    } else if (job->restart_used == RESTART_REPLAY) {
        snprintf(text, TEXT, "what `%s' changes in memory is not known", job->unlogged_by);
    } else {
        snprintf(text, TEXT, "all that the program changes is known");
    }
    return text;
}

// Where no order of the visible calls is left, there may still be one of what was not visible.
static const char only_calls[] =
    "only the program's calls were visible, and every order of those was covered; what it does to shared "
    "memory in between, by atomics or without synchronisation, can be seen only in a program that "
    "was built with `heddle cc`";

// The functions that were called although nobody knows what memory they use.
static const char *name_unseen(const struct check *check, char *text)
{
    const struct job *job = check->job;
    uint32_t shown = job->unseen_calls < UNSEEN_CALLS ? job->unseen_calls : UNSEEN_CALLS;
    size_t at = (size_t)snprintf(text, TEXT, "heddle does not know what memory is used by ");
    for (uint32_t i = 0; i < shown && at < TEXT; i++) {
        char place[PLACE];
        const struct job_call *call = &job->unseen_call[i];
        name_place(check, call->pc, place);
        at += (size_t)snprintf(text + at, TEXT - at, "%s`%s' (%s), called at %s", i ? "; " : "", call->name, call->library, place);
    }
    if (job->unseen_calls > shown && at < TEXT)
        at += (size_t)snprintf(text + at, TEXT - at, "; and %u more", job->unseen_calls - shown);
    if (at < TEXT)
        snprintf(text + at, TEXT - at, " (--trust %s: say that it does no harm)",
                 strpbrk(job->unseen_call[0].name, " (<,") ? job->unseen_call[0].library : job->unseen_call[0].name);
    return text;
}

// Why not everything was covered; null if it was. A search that stopped at a bug, as it should, says nothing.
static const char *why_incomplete(const struct check *check, bool tolerated, char *text)
{
    const struct job *job = check->job;
    char place[PLACE] = "";
    if (job->difference.kind)
        return why_different(check, text);
    if (job->cut_pc)
        name_place(check, job->cut_pc, place);
    if (job->bare)
        return "this was a benchmark of one execution";
    switch ((enum job_end)job->end) {
    case JOB_EXECUTIONS:
        snprintf(text, TEXT, "the bound of %llu execution%s was reached", (unsigned long long)job->max_executions,
                 job->max_executions == 1 ? "" : "s");
        return text;
    case JOB_TOO_LARGE:
    case JOB_TIME:
        snprintf(text, TEXT, "the time of %g second%s was over", job->seconds, job->seconds == 1 ? "" : "s");
        return text;
    case JOB_INTERRUPTED: return interrupt_reason();
    case JOB_DIVERGED:
        if (job->learnt.missed.area)
            return name_missed(check, "memory was not as before after going back: ", " was missed", text);
        return job->reason;
    case JOB_UNSUPPORTED: return job->reason;
    case JOB_STUCK:
        snprintf(text, TEXT, "a thread runs on for ever without a visible operation, at %s", place);
        return text;
    case JOB_BUG:
        if (tolerated)
            return "a tolerated bug ended the process, and with it the search";
        break;
    default: break;
    }
    if (job->dropped) {
        snprintf(text, TEXT, "%u failure%s found no room and cannot be told", job->dropped, job->dropped == 1 ? "" : "s");
        return text;
    }
    if (job->cut) {
        snprintf(text, TEXT, "%llu execution%s cut after %u event%s (--max-steps), in a loop at %s",
                 (unsigned long long)job->cut, job->cut == 1 ? " was" : "s were", job->max_steps,
                 job->max_steps == 1 ? "" : "s", place);
        return text;
    }
    if (job->end == JOB_DONE && job->blocked && !job->finished)
        return job->assumed ? "every execution was cut short by a false assumption (heddle_assume): none came to its end"
                            : "every execution was cut short where threads spin or wait with a time-out: none came to its "
                              "end";
    bool bounded = job->strategy == STRATEGY_BOUNDED;
    if (job->preemptions != NO_BOUND && !(bounded && job->account.bounds == NO_BOUND)) {
        snprintf(text, TEXT, "only runs with at most %u preemption%s were covered", job->preemptions,
                 job->preemptions == 1 ? "" : "s");
        return text;
    }
    if (strategy_table[job->strategy].samples)
        return strategy_table[job->strategy].samples;
    if (job->foreign)
        return "parts of the program were not compiled by heddle cc: what they do to shared memory was not seen";
    if (job->unseen_calls)
        return name_unseen(check, text);
    if (missed_is_write(&job->learnt.missed) && job->races != RACES_OFF)
        return name_missed(check, "heddle does not see ", ", and cannot tell whether it races (--races off: do not ask)", text);
    return job->plain && job->end == JOB_DONE ? only_calls : NULL;
}

static bool tolerates_race(const struct outcome_room *o)
{
    for (size_t i = 0; i < o->tolerated_count; i++)
        if (o->tolerated[i].kind == BUG_RACE)
            return true;
    return false;
}

// What memory gives in a program without races whose atomic accesses are all sequentially consistent is no assumption.
static const char *memory_assumption(const struct outcome_room *o)
{
    const struct job *job = o->check->job;
    if (job->plain || job->races != RACES_REPORT || tolerates_race(o))
        return "memory is sequentially consistent";
    if (job->weak_orders)
        return "memory is sequentially consistent, although some atomic accesses ask for less: each sees the newest value";
    return NULL;
}

static size_t list_assumptions(const struct outcome_room *o, const char **list)
{
    static char woken[64], ended[96];
    const struct job *job = o->check->job;
    const char *memory = memory_assumption(o);
    size_t n = 0;
    snprintf(woken, sizeof woken, "each thread has at most %u spurious wake-up%s", job->spurious,
             job->spurious == 1 ? "" : "s");
    if (memory)
        list[n++] = memory;
    if (job->waits)
        list[n++] = job->spurious ? woken : "condition variables have no spurious wake-ups";
    if (job->plain)
        list[n++] = "the program was not built by heddle cc: only its calls are seen";
    if (job->races == RACES_OFF || job->plain)
        list[n++] = "data races were not looked for";
    if (tolerates_race(o) && job->races != RACES_EXPLORE)
        list[n++] = "what the tolerated races lead to was not explored";
    if (o->atomics[0])
        list[n++] = o->atomics;
    for (uint32_t i = 0; i < job->notes; i++)
        list[n++] = job->note[i];
    snprintf(ended, sizeof ended, "a process that ends with status %u, as some did, has not failed (--exit-status: it has)",
             job->status_seen);
    if (job->status_seen && !job->status_matters)
        list[n++] = ended;
    return n;
}

static const char *verdict_of(const struct outcome_room *o, const char *why)
{
    return o->count ? "bug" : why ? "incomplete" : o->tolerated_count ? "tolerated" : "verified";
}

// A failure that did not happen again in a fresh process, or null.
static const struct examined *never_happened(const struct outcome_room *o)
{
    for (uint32_t i = 0; i < o->check->job->bugs; i++)
        if (!o->examined[i].happens)
            return &o->examined[i];
    return NULL;
}

static const char *blame_heddle(const struct examined *x, char *text)
{
    const char *saw = run_interrupted() ? "it was interrupted before it could see whether a failure" : "heddle's own fault: the search saw a failure";
    const char *then = run_interrupted() ? "happens" : "that does not happen";
    snprintf(text, TEXT, "%s (%.200s) %s when its run is repeated in a fresh process", saw, buffer_text(&x->message), then);
    return text;
}

// Whether a race was found on a variable that is declared _Atomic, and not known before.
static bool learn_atomics(struct outcome_room *o, struct anew *anew)
{
    const struct job *job = o->check->job;
    bool fresh = false;
    for (uint32_t i = 0; i < job->bugs && job->races == RACES_REPORT && !anew->no_atomics; i++) {
        const struct bug *bug = &job->bug[i].bug;
        struct buffer name = {0};
        if (bug->kind == BUG_RACE && declared_atomic(o->check->subject.program, job, bug, &name) &&
            anew_add_atomic(anew, bug->address, bug->size)) {
            fresh = true;
            anew_name_atomic(anew, buffer_text(&name));
            snprintf(o->atomics, sizeof o->atomics, "the compiler reads %.100s, which is declared _Atomic, as if it were not: that counts as an atomic load",
                     buffer_text(&name));
        }
        buffer_free(&name);
    }
    return fresh;
}

// A plain write to such a variable, or a read that is no index, is nothing that the compiler made of an atomic one: the race is
// the program's after all.
static bool takes_back_atomics(struct outcome_room *o, struct anew *anew)
{
    const struct job *job = o->check->job;
    if (!anew->atomics || (!job->wrote_plainly && declared_as_indices(o->check->subject.program, job, anew->names)))
        return false;
    anew->atomics = 0;
    anew->no_atomics = true;
    o->atomics[0] = 0;
    return true;
}

// Searches until everything that was found happens, or there is no safer way to search. Returns what run_job does.
static int search(struct outcome_room *o)
{
    struct job *job = o->check->job;
    struct anew anew;
    int status;
    anew_keep(&anew, job);
    do {
        o->phases = (struct phases){0};
        status = phases_run(&o->check->subject, job, &o->phases);
        if (!status && (learn_atomics(o, &anew) || takes_back_atomics(o, &anew)) && anew_repeat(&anew, job))
            continue;
        if (!status)
            examine_all(o, job);
        if (status || !never_happened(o) || !anew_prepare(&anew, job))
            break;
    } while (true);
    job->seconds = anew.task->seconds;
    anew_free(&anew);
    return status;
}

int check_run(struct check *check, struct outcome *outcome)
{
    struct outcome_room *o = buffer_zeroed(1, sizeof *o);
    struct judge judge = {examine_all, o};
    *outcome = (struct outcome){.room = o};
    o->check = check;
    check->subject.judge = &judge;
    check->subject.shows_output = check->job->output == OUTPUT_ALL;
    check->job->ask = check->job->tell_apart = check->tolerance != NULL;
    if (search(o))
        return 2;
    explain_all(o);
    const struct examined *never = never_happened(o);
    const char *why = never ? blame_heddle(never, o->reason) : why_incomplete(check, o->count == 0, o->reason);
    outcome->summary = (struct report_summary){.program = check->name,
                                               .test = check->test,
                                               .verdict = verdict_of(o, why),
                                               .job = check->job,
                                               .restart_reason = why_restarted(check, o->restart_reason),
                                               .reason = why,
                                               .assumptions = o->assumptions,
                                               .assumption_count = list_assumptions(o, o->assumptions),
                                               .phases = o->phases.phase,
                                               .phase_count = o->phases.count,
                                               .bugs = o->bugs,
                                               .bug_count = o->count,
                                               .tolerated = o->tolerated,
                                               .tolerated_count = o->tolerated_count,
                                               .stacks = check->stacks,
                                               .seconds = check->job->run_seconds,
                                               .executable = check->subject.program,
                                               .heddle = HEDDLE_VERSION};
    return o->count ? 1 : why ? 3 : 0;
}

void outcome_free(struct outcome *outcome)
{
    struct outcome_room *o = outcome->room;
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
