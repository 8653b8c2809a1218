#include "supervise/verdict.h"

#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "report/difference_text.h"
#include "report/missed_text.h"
#include "report/symbols.h"
#include "supervise/globals.h"
#include "supervise/suspect.h"

// A place in the program, as far as its symbols tell.
static void name_place(const struct check *check, uint64_t pc, char *text)
{
    struct symbols *symbols = symbols_new();
    struct symbols_place place;
    bool known = symbols_add(symbols, check->subject.program, check->job->answer.base) &&
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

static const char *name_unlike(const struct check *check, char *text)
{
    struct buffer name = {0};
    globals_name(check->subject.program, check->job->answer.unlike_at, &name);
    const char *offset = strstr(buffer_text(&name), "+0");
    int length = offset && !offset[2] ? (int)(offset - buffer_text(&name)) : (int)strlen(buffer_text(&name));
    snprintf(text, TEXT,
             "%.*s matters, although the program wants it to be ignored: states that differ only there go on in "
             "different ways",
             length, buffer_text(&name));
    buffer_free(&name);
    return text;
}

// Something was another time another thing, and heddle may have been at fault.
static const char *why_distrusted(const struct check *check, char *text)
{
    const struct job *job = check->job;
    if (missed_is_write(&job->learnt.missed))
        return name_missed(check, "undo did not take back ", ", which heddle does not see", text);
    if (job->learnt.missed.area == MISSED_RACING)
        return "what undo leaves in memory cannot be checked, since a data race decides it";
    if (job->learnt.missed.area)
        return name_missed(check, "after undo ", " is not as a fresh run has it", text);
    if (job->learnt.distrust == DISTRUST_UNDO)
        return "an execution took another course when it was run again, and undo may have been at fault";
    return "an execution took another course when it was run again in the same process";
}

// Why executions were started again in the way they were.
static const char *why_restarted(const struct check *check, char *text)
{
    const struct job *job = check->job;
    char place[PLACE];
    bool checkpoints = job->answer.restart_used == RESTART_CHECKPOINT;
    if ((checkpoints || job->answer.restart_used == RESTART_FORK) && job->learnt.outside_pc) {
        name_place(check, job->learnt.outside_pc, place);
        snprintf(text, TEXT, "the program calls %s at %s%s", job->learnt.outside_call, place,
                 checkpoints ? ", and its executions are long" : "");
    } else if (job->task.rules.restart == RESTART_AUTO && job->learnt.long_prefix && job->task.plain) {
        snprintf(text, TEXT, "what the program changes in memory is not seen, and %u events would have to be repeated",
                 job->learnt.long_prefix);
    } else if (job->task.rules.restart == RESTART_AUTO && job->learnt.long_prefix) {
        snprintf(text, TEXT, "what `%s' changes in memory is not known, and %u events would have to be repeated",
                 job->answer.unlogged_by, job->learnt.long_prefix);
    } else if (job->task.rules.restart != RESTART_AUTO) {
        snprintf(text, TEXT, "as --restart says");
    } else if (job->learnt.distrust) {
        return why_distrusted(check, text);
    } else if (job->task.plain) {
        snprintf(text, TEXT, "what the program changes in memory is not seen");
    } else if (job->answer.restart_used == RESTART_REPLAY && !job->answer.unlogged_by[0]) {
        snprintf(text, TEXT, "so that every execution prints all it has to (--output all)");
    } else if (job->answer.restart_used == RESTART_REPLAY && !strncmp(job->answer.unlogged_by, "a stack", 7)) {
        snprintf(text, TEXT, "a thread uses %s, too much to be copied at each step", job->answer.unlogged_by);
    } else if (job->answer.restart_used == RESTART_REPLAY) {
        snprintf(text, TEXT, "what `%s' changes in memory is not known", job->answer.unlogged_by);
    } else {
        snprintf(text, TEXT, "everything that the program changes is known");
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
    uint32_t shown = job->answer.unseen_calls < UNSEEN_CALLS ? job->answer.unseen_calls : UNSEEN_CALLS;
    size_t at = (size_t)snprintf(text, TEXT, "heddle does not know what memory is used by ");
    for (uint32_t i = 0; i < shown && at < TEXT; i++) {
        char place[PLACE];
        const struct job_call *call = &job->answer.unseen_call[i];
        name_place(check, call->pc, place);
        at += (size_t)snprintf(text + at, TEXT - at, "%s`%s' (%s), called at %s", i ? "; " : "", call->name,
                               call->library, place);
    }
    if (job->answer.unseen_calls > shown && at < TEXT)
        at += (size_t)snprintf(text + at, TEXT - at, "; and %u more", job->answer.unseen_calls - shown);
    if (at < TEXT)
        snprintf(text + at, TEXT - at, " (--trust %s: say that it does no harm)",
                 strpbrk(job->answer.unseen_call[0].name, " (<,") ? job->answer.unseen_call[0].library
                                                                  : job->answer.unseen_call[0].name);
    return text;
}

// Why not everything was covered; null if it was. A search that stopped at a bug, as it should, says nothing.
static const char *why_incomplete(const struct check *check, bool tolerated, char *text)
{
    const struct job *job = check->job;
    char place[PLACE] = "";
    if (job->answer.difference.kind)
        return why_different(check, text);
    if (job->answer.cut_pc)
        name_place(check, job->answer.cut_pc, place);
    if (job->task.bare)
        return "this was a benchmark of one execution";
    switch ((enum job_end)job->answer.end) {
    case JOB_EXECUTIONS:
        snprintf(text, TEXT, "the bound of %llu execution%s was reached", (unsigned long long)job->task.max_executions,
                 job->task.max_executions == 1 ? "" : "s");
        return text;
    case JOB_TOO_LARGE:
    case JOB_TIME:
        snprintf(text, TEXT, "the time of %g second%s was over", job->task.seconds, job->task.seconds == 1 ? "" : "s");
        return text;
    case JOB_INTERRUPTED:
        return interrupt_reason();
    case JOB_DIVERGED:
        if (job->learnt.missed.area)
            return name_missed(check, "memory was not as before after going back: ", " was missed", text);
        return job->answer.reason;
    case JOB_UNSUPPORTED:
        return job->answer.unlike_at ? name_unlike(check, text) : job->answer.reason;
    case JOB_STUCK:
        snprintf(text, TEXT, "a thread runs on for ever without a visible operation, at %s", place);
        return text;
    case JOB_BUG:
        if (tolerated)
            return "a tolerated bug ended the process, and with it the search";
        break;
    default:
        break;
    }
    if (job->answer.dropped) {
        snprintf(text, TEXT, "there was no room for %u more failure%s, which cannot be reported", job->answer.dropped,
                 job->answer.dropped == 1 ? "" : "s");
        return text;
    }
    if (job->answer.counts.cut) {
        snprintf(text, TEXT, "%llu execution%s cut after %u event%s (--max-steps), in a loop at %s",
                 (unsigned long long)job->answer.counts.cut, job->answer.counts.cut == 1 ? " was" : "s were",
                 job->task.max_steps, job->task.max_steps == 1 ? "" : "s", place);
        return text;
    }
    if (job->answer.end == JOB_DONE && job->answer.counts.blocked && !job->answer.finished)
        return job->answer.assumed
                   ? "every execution was cut short by a false assumption (heddle_assume): none came to its end"
                   : "every execution was cut short where threads spin or wait with a time-out: none came to its "
                     "end";
    bool bounded = job->task.strategy == STRATEGY_BOUNDED;
    if (job->task.preemptions != NO_BOUND && !(bounded && job->answer.account.bounds == NO_BOUND)) {
        snprintf(text, TEXT, "only runs with at most %u preemption%s were covered", job->task.preemptions,
                 job->task.preemptions == 1 ? "" : "s");
        return text;
    }
    if (strategy_table[job->task.strategy].samples)
        return strategy_table[job->task.strategy].samples;
    if (job->answer.foreign)
        return "parts of the program were not compiled by heddle cc: what they do to shared memory was not seen";
    if (job->answer.unseen_calls)
        return name_unseen(check, text);
    if (missed_is_write(&job->learnt.missed) && job->task.rules.races != RACES_OFF)
        return name_missed(check, "heddle does not see ",
                           ", and cannot tell whether it races (--races off: do not ask)", text);
    return job->task.plain && job->answer.end == JOB_DONE ? only_calls : NULL;
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
    if (job->task.plain || job->task.rules.races != RACES_REPORT || tolerates_race(o))
        return "memory is sequentially consistent";
    if (job->answer.weak_orders)
        return "memory is sequentially consistent, although some atomic accesses ask for less: each sees the newest "
               "value";
    return NULL;
}

static size_t list_assumptions(const struct outcome_room *o, const char **list)
{
    static char kept[JOB_PATH + 128], input[JOB_PATH + 128], woken[64], ended[112], faults[FAULT_TEXT + 128];
    char budget[FAULT_TEXT];
    const struct job *job = o->check->job;
    const char *memory = memory_assumption(o);
    size_t n = 0;
    snprintf(woken, sizeof woken, "each thread has at most %u spurious wake-up%s", job->task.rules.spurious,
             job->task.rules.spurious == 1 ? "" : "s");
    if (memory)
        list[n++] = memory;
    if (job->answer.waits)
        list[n++] = job->task.rules.spurious ? woken : "condition variables have no spurious wake-ups";
    if (fault_write(job->task.rules.faults, budget, sizeof budget)) {
        snprintf(faults, sizeof faults,
                 "no execution has more faults than %s allows, and calls that libraries make for themselves have none",
                 budget);
        list[n++] = faults;
    }
    if (job->task.plain)
        list[n++] = "the program was not built by heddle cc: only its calls are seen";
    if (job->task.only_races)
        list[n++] = "only data races were looked for: executions without any may have been left out";
    if (job->task.rules.races == RACES_OFF || job->task.plain)
        list[n++] = "data races were not looked for";
    if (tolerates_race(o) && job->task.rules.races != RACES_EXPLORE)
        list[n++] = "what the tolerated races lead to was not explored";
    if (o->atomics[0])
        list[n++] = o->atomics;
    for (uint32_t i = 0; i < job->answer.notes; i++)
        list[n++] = job->answer.note[i];
    if (job->task.outside.kept[0][0]) {
        snprintf(kept, sizeof kept, "%s%s are read as they were when the search began (--allow)",
                 job->task.outside.kept[0], job->task.outside.kept[1][0] ? " and the others that --allow names" : "");
        if (!job->task.outside.kept[1][0])
            snprintf(kept, sizeof kept, "%s is read as it was when the search began (--allow)",
                     job->task.outside.kept[0]);
        list[n++] = kept;
    }
    if (job->task.outside.input[0]) {
        snprintf(input, sizeof input, "the standard input has what was in %s when the search began (--stdin)",
                 strcmp(job->task.outside.input, "-") ? job->task.outside.input : "heddle's own");
        list[n++] = input;
    }
    snprintf(ended, sizeof ended,
             "some executions ended with status %u, which does not count as a failure (--exit-status: it does)",
             job->answer.status_seen);
    if (job->answer.status_seen && !job->task.rules.status_matters)
        list[n++] = ended;
    return n;
}

static const char *verdict_word(const struct outcome_room *o, const char *why)
{
    return o->count ? "bug" : why ? "incomplete" : o->tolerated_count ? "tolerated" : "verified";
}

const struct examined *verdict_never_happened(const struct outcome_room *o)
{
    for (uint32_t i = 0; i < o->check->job->answer.bugs; i++)
        if (!o->examined[i].happens)
            return &o->examined[i];
    return NULL;
}

static const char *blame_heddle(const struct examined *x, char *text)
{
    const char *saw = run_interrupted() ? "it was interrupted before it could see whether a failure"
                                        : "heddle's own fault: the search saw a failure";
    const char *then = run_interrupted() ? "happens" : "that does not happen";
    snprintf(text, TEXT, "%s (%.200s) %s when its run is repeated in a fresh process", saw, buffer_text(&x->message),
             then);
    return text;
}

void verdict_give(struct outcome_room *o, struct report_summary *summary)
{
    const struct examined *never = verdict_never_happened(o);
    summary->reason = never ? blame_heddle(never, o->reason) : why_incomplete(o->check, o->count == 0, o->reason);
    summary->verdict = verdict_word(o, summary->reason);
    summary->restart_reason = why_restarted(o->check, o->restart_reason);
    summary->assumptions = o->assumptions;
    summary->assumption_count = list_assumptions(o, o->assumptions);
}
