#include "supervise/rerun.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/bug.h"
#include "report/bug_identity.h"
#include "supervise/globals.h"
#include "supervise/kept_files.h"

static uint32_t find_words(const struct schedule *s, const char *program, char *const *names, uint64_t *addresses)
{
    uint32_t n = 0;
    bool rebuilt = s->build && s->build != globals_code_hash(program);
    for (; *names; names++) {
        if (globals_find(program, *names, &addresses[n]))
            n++;
        else
            fprintf(stderr, "heddle replay: %s is no longer in the program; its accesses are no steps now\n", *names);
        if (rebuilt && !strchr(*names, '+'))
            fprintf(
                stderr,
                "heddle replay: the program was rebuilt, and %s, which is not a variable, may be other memory now\n",
                *names);
    }
    return n;
}

struct job *rerun_job(const struct schedule *s, const char *program)
{
    struct job *job = job_new();
    job->task.strategy = STRATEGY_REPLAY;
    if (s->directory)
        snprintf(job->task.outside.directory, sizeof job->task.outside.directory, "%s", s->directory);
    if (s->trusted)
        snprintf(job->task.outside.trusted, sizeof job->task.outside.trusted, "%s", s->trusted);
    if (s->test)
        snprintf(job->task.outside.test, sizeof job->task.outside.test, "%s", s->test);
    const char *why = s->input ? kept_files_add_input(&job->task.outside, s->input) : NULL;
    if (why)
        fprintf(stderr, "heddle: the program finds nothing on its standard input: %s: %s\n", s->input, why);
    for (int i = 0; i < ALLOWED && s->kept[i]; i++)
        (void)kept_files_add(&job->task.outside, s->kept[i]); // one that is gone is not there for the program either
    for (int i = 0; i < ALLOWED && s->allowed[i]; i++)
        snprintf(job->task.outside.allowed[i], sizeof job->task.outside.allowed[i], "%s", s->allowed[i]);
    job->task.rules = s->rules;
    job->task.rules.status_matters = s->bug && bug_by_name(s->bug, strlen(s->bug)) == BUG_EXIT;
    job->task.rules.tell_apart = s->fingerprint != 0;
    job->learnt.unlock_visible = s->unlock_visible;
    job->task.turns = s->turns;
    job->task.round = s->round;
    job->learnt.merged_count = find_words(s, program, s->merged, job->learnt.merged);
    job->learnt.racy_count = find_words(s, program, s->racy, job->learnt.racy);
    job->threads = s->threads;
    if (s->steps > job->task.max_steps)
        job->task.max_steps = s->steps;
    memcpy(job->steps, s->step, s->steps * sizeof *s->step);
    job->task.prefix_steps = s->steps;
    job->task.keep_going = 1;
    return job;
}

static void identify(const struct schedule *s, const struct job *job, const struct job_bug *bug, const char *trace,
                     struct identity *id)
{
    const char *test = s->arguments[0] && !strcmp(s->arguments[0], "--test") ? s->arguments[1] : s->test;
    struct report_bug shown = {.bug = bug, .trace_path = trace};
    struct finding finding;
    finding_open(&finding, &(struct report_summary){.job = job}, &shown);
    identity_make(id, &finding, test);
    finding_close(&finding);
}

enum likeness { OTHER_KIND, SAME_KIND, SAME_FAILURE };

// How much a bug is like the one that the schedule was kept for. That one goes by two identities: of the run in which it
// was found, which gave the fingerprint, and of the shortened run in the schedule. A schedule without either tells kinds
// apart and no more.
static enum likeness likeness_of(const struct schedule *s, const struct job *job, const struct job_bug *bug,
                                 const char *trace)
{
    struct identity id;
    if (s->bug && strcmp(bug_name(bug->bug.kind), s->bug))
        return OTHER_KIND;
    if (!s->failure && !s->fingerprint)
        return SAME_FAILURE;
    identify(s, job, bug, trace, &id);
    bool same = id.fingerprint == s->fingerprint || (s->failure && !strcmp(id.text.text, s->failure));
    identity_free(&id);
    return same ? SAME_FAILURE : SAME_KIND;
}

// An identity begins with the kind; so do some of the sentences in it.
static const char *without_kind_twice(const char *identity)
{
    const char *comma = strchr(identity, ',');
    bool twice = comma && comma[1] && !strncmp(comma + 2, identity, (size_t)(comma - identity));
    return twice ? comma + 2 : identity;
}

static const char *failure_of(const struct schedule *s)
{
    return s->failure ? without_kind_twice(s->failure) : s->bug ? s->bug : "a bug";
}

static void rerun_say(const struct schedule *s, const struct job *job, const struct outline *seen, const char *trace,
                      struct rerun *r)
{
    struct buffer *out = &r->words;
    struct identity id;
    switch (r->verdict) {
    case RERUN_STILL_FAILS:
        buffer_add(out, "still fails: %s", failure_of(s));
        break;
    case RERUN_FAILS_DIFFERENTLY:
        identify(s, job, &r->bug, trace, &id);
        buffer_add(out, "fails differently: %s instead of %s", without_kind_twice(id.text.text), failure_of(s));
        identity_free(&id);
        break;
    case RERUN_PASSES:
        if (s->bug || s->failure)
            buffer_add(out, "passes: the run no longer fails with %s", failure_of(s));
        else
            buffer_add(out, "passes: the run is the one that was kept, and nothing fails in it");
        break;
    case RERUN_DIVERGES:
        buffer_add(out, "diverges at event %u", r->event);
        break;
    }
    if (!r->departs)
        return;
    if (r->verdict != RERUN_DIVERGES)
        buffer_add(out, ", though it leaves the schedule at event %u", r->event);
    if (r->event < s->outline.count) {
        buffer_add(out, "; expected: ");
        outline_phrase(&s->outline, r->event, job, out);
    }
    buffer_add(out, "; seen: ");
    outline_phrase(seen, r->event, job, out);
}

// Where the run is another one: a step could not be followed, or one did something else.
static bool departure(const struct schedule *s, const struct job *job, const struct outline *seen, uint32_t *event)
{
    bool departs = outline_departs(&s->outline, seen, event);
    if (job->answer.counts.redundant && (!departs || job->answer.counts.redundant - 1 < *event)) {
        *event = (uint32_t)job->answer.counts.redundant - 1;
        departs = true;
    }
    if (!departs && seen->count < s->steps && seen->count) {
        *event = seen->count;
        departs = true;
    }
    return departs;
}

void rerun_judge(const struct schedule *s, const char *program, const struct job *job, const char *trace,
                 struct rerun *r)
{
    struct outline seen = {0};
    *r = (struct rerun){.verdict = RERUN_PASSES, .rebuilt = s->build && s->build != globals_code_hash(program)};
    outline_read(&seen, trace, job);
    r->departs = departure(s, job, &seen, &r->event);
    if (r->departs)
        r->verdict = RERUN_DIVERGES;
    enum likeness best = OTHER_KIND;
    for (uint32_t i = 0; i < job->answer.bugs && best != SAME_FAILURE; i++) {
        enum likeness likeness = likeness_of(s, job, &job->answer.bug[i], trace);
        if (i && likeness <= best)
            continue;
        best = likeness;
        r->verdict = best == SAME_FAILURE ? RERUN_STILL_FAILS : RERUN_FAILS_DIFFERENTLY;
        r->bug = job->answer.bug[i];
        r->which = i;
    }
    rerun_say(s, job, &seen, trace, r);
    outline_free(&seen);
}

int rerun_status(enum rerun_verdict verdict)
{
    return verdict == RERUN_PASSES ? 0 : verdict == RERUN_DIVERGES ? 3 : 1;
}
