#define _GNU_SOURCE
#include "fuzz/said_check.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "supervise/schedule.h"

static char *wrong(const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    require(vasprintf(&text, format, arguments) >= 0);
    va_end(arguments);
    return text;
}

static const char *text_at(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(object, name));
    return text ? text : "";
}

static uint32_t line_of(const cJSON *object)
{
    const cJSON *line = cJSON_GetObjectItem(cJSON_GetObjectItem(object, "location"), "line");
    return line ? (uint32_t)line->valueint : 0;
}

// ---- following the run that is kept ----

struct follower {
    const struct said_program *p;
    const struct schedule *run;
    uint32_t thread[SAID_THREADS + 1]; // by actor
    struct said_state s;
};

// Whose actor it is: actors are known by who created them, and after how many others.
static uint32_t thread_of(const struct follower *f, uint32_t actor)
{
    uint32_t number = 0;
    if (!actor)
        return 0;
    for (uint32_t t = 1; t < f->p->threads; t++)
        if (f->p->parent[t] == f->thread[f->run->threads.thread[actor].parent] &&
            number++ == f->run->threads.thread[actor].number)
            return t;
    return SAID_THREADS;
}

static uint32_t whom_it_waits_for(const struct follower *f, uint32_t thread)
{
    if (f->s.thread[thread].phase == SAID_ABSENT)
        return f->p->parent[thread];
    const struct said_instr *in = said_at(f->p, &f->s, thread);
    if (!in)
        return SAID_THREADS;
    if (in->code == SAID_JOIN)
        return in->object;
    return f->s.owner[in->object] ? f->s.owner[in->object] - 1u : SAID_THREADS;
}

// A step that the run has and does not show as an event, of this thread or of whom it waits for.
static bool step_silently(struct follower *f, uint32_t thread)
{
    for (uint32_t i = 0; i <= SAID_THREADS && thread < SAID_THREADS; i++) {
        if (said_outcomes(f->p, &f->s, thread))
            return !said_step(f->p, &f->s, thread, 0);
        thread = whom_it_waits_for(f, thread);
    }
    return false;
}

static bool is_at(const struct follower *f, uint32_t thread, const char *op, uint32_t line)
{
    const struct said_instr *in = said_at(f->p, &f->s, thread);
    if (!in || !said_outcomes(f->p, &f->s, thread))
        return false;
    if (said_leaves(&f->s, thread))
        return !strcmp(op, "unlock");
    if (!strcmp(op, "end") || (!strcmp(op, "exit") && in->line != line))
        return in->code == SAID_RETURN;
    return in->line == line;
}

// Which of the outcomes the step had. Those of a signal are counted by actors, here by threads.
static uint32_t outcome_of(const struct follower *f, const char *op, uint32_t alternative)
{
    if (strcmp(op, "signal"))
        return alternative;
    for (uint32_t actor = 0; actor < f->run->threads.count; actor++) {
        uint32_t woken = f->thread[actor], nth = 0;
        if (!said_sleeps(&f->s, woken) || alternative--)
            continue;
        for (uint32_t t = 0; t < woken; t++)
            nth += said_sleeps(&f->s, t);
        return nth;
    }
    return 0;
}

static bool follow_step(struct follower *f, uint32_t number)
{
    const struct outline *o = &f->run->outline;
    const struct outline_op *does = &o->ops[o->does[number]];
    const char *colon = strrchr(does->place, ':');
    uint32_t thread = f->thread[f->run->step[number].actor], line = colon ? (uint32_t)atoi(colon + 1) : 0;
    if (!strcmp(does->operation, "begin"))
        return true;
    for (uint32_t i = 0; !is_at(f, thread, does->operation, line); i++)
        if (i > SAID_THREADS * SAID_CODE || !step_silently(f, thread))
            return false;
    return !said_step(f->p, &f->s, thread, outcome_of(f, does->operation, f->run->step[number].alternative));
}

// Follows the first steps of the run, as many as that.
static bool follow(struct follower *f, const struct said_program *p, const struct schedule *run, uint32_t steps)
{
    *f = (struct follower){.p = p, .run = run, .s = said_start(p)};
    if (run->threads.count > SAID_THREADS || run->outline.count < run->steps || steps > run->steps)
        return false;
    for (uint32_t actor = 0; actor < run->threads.count; actor++) {
        f->thread[actor] = thread_of(f, actor);
        if (f->thread[actor] == SAID_THREADS)
            return false;
    }
    for (uint32_t i = 0; i < steps; i++)
        if (!follow_step(f, i))
            return false;
    return true;
}

// How many events there are at least up to the failure; some may not be shown.
static uint32_t events_before_failure(const cJSON *bug)
{
    uint32_t count = 0;
    const cJSON *row;
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(bug, "events"))
    {
        const cJSON *event = cJSON_GetObjectItem(row, "event");
        if (cJSON_IsTrue(cJSON_GetObjectItem(row, "failure")))
            break;
        count = event ? (uint32_t)event->valueint + 1 : count;
    }
    return count;
}

// ---- which bug it is ----

static const struct said_bug *find_assertion(const struct said_truth *truth, uint32_t line)
{
    for (uint32_t i = 0; i < truth->bugs; i++) {
        const struct said_bug *b = &truth->bug[i];
        if (!b->deadlock && truth->p->code[b->thread][b->pc].line == line)
            return b;
    }
    return NULL;
}

static const struct said_bug *find_deadlock(const struct said_truth *truth, const struct schedule *run)
{
    struct follower f;
    if (!follow(&f, truth->p, run, run->steps))
        return NULL;
    for (bool moved = true; moved;) { // what is left is silent
        moved = false;
        for (uint32_t t = 0; t < truth->p->threads; t++)
            moved |= said_outcomes(truth->p, &f.s, t) && step_silently(&f, t);
    }
    uint64_t waiting = said_waiting(truth->p, &f.s);
    for (uint32_t i = 0; i < truth->bugs; i++)
        if (truth->bug[i].deadlock && truth->bug[i].waiting == waiting)
            return &truth->bug[i];
    return NULL;
}

// ---- the statements ----

// What is said, and of what.
struct statement {
    const struct said_truth *truth;
    const cJSON *bug;
    const struct schedule *run;
    const struct said_bug *true_bug;
};

// After so many events of the run: can the bug be avoided? Null, or what went wrong.
static char *look(const struct statement *s, uint32_t events, bool *avoidable)
{
    struct follower f;
    bool known = false;
    if (!follow(&f, s->truth->p, s->run, events))
        return wrong("the run cannot be followed for %u events", events);
    *avoidable = said_avoidable(s->truth, &f.s, s->true_bug, &known);
    return known ? NULL : wrong("the run comes to a state that cannot be");
}

static char *check_event(const struct statement *s, uint32_t event, bool proven)
{
    bool before = true, after = false;
    char *why = look(s, event + 1, &after);
    if (!why && proven)
        why = look(s, event, &before);
    if (!why && after)
        why = wrong("after event %u the failure can be avoided", event);
    return why || before ? why : wrong("before event %u the failure is certain", event);
}

static char *check_none(const struct statement *s)
{
    bool after = true;
    char *why = look(s, events_before_failure(s->bug), &after);
    return why || after ? why : wrong("an event decides, and none is said to");
}

static char *check_decisive(const struct statement *s, struct said_tally *tally)
{
    const cJSON *decisive = cJSON_GetObjectItem(s->bug, "decisive"), *event = cJSON_GetObjectItem(decisive, "event");
    const char *status = text_at(decisive, "status");
    bool proven = !strcmp(status, "proven");
    tally->proven += proven;
    tally->always += !strcmp(status, "always");
    tally->none += !strcmp(status, "none");
    tally->open += !strcmp(status, "undecided") || !strcmp(status, "not-proven") || !strcmp(status, "unknown");
    if (!strcmp(status, "always"))
        return s->true_bug->always ? NULL : wrong("not every run fails like this");
    if (!strcmp(status, "none"))
        return check_none(s);
    return proven || !strcmp(status, "not-proven") ? check_event(s, (uint32_t)event->valueint, proven) : NULL;
}

static char *check_preemptions(const struct statement *s, struct said_tally *tally)
{
    uint32_t preemptions = (uint32_t)cJSON_GetObjectItem(s->bug, "preemptions")->valueint,
             fewest = s->true_bug->preemptions;
    bool minimal = cJSON_IsTrue(cJSON_GetObjectItem(s->bug, "minimal"));
    tally->minimal += minimal;
    if (preemptions < fewest || (minimal && preemptions != fewest))
        return wrong("%u preemptions, and the fewest are %u", preemptions, fewest);
    return NULL;
}

static char *check_bug(const struct said_truth *truth, const cJSON *bug, const struct schedule *run, uint64_t *seen,
                       struct said_tally *tally)
{
    bool deadlock = !strcmp(text_at(bug, "kind"), "deadlock");
    if (!deadlock && strcmp(text_at(bug, "kind"), "assertion"))
        return wrong("it says %s", text_at(bug, "message"));
    const struct said_bug *b = deadlock ? find_deadlock(truth, run) : find_assertion(truth, line_of(bug));
    if (!b)
        return wrong("there is no such bug");
    struct statement s = {truth, bug, run, b};
    uint64_t bit = 1ull << (b - truth->bug);
    if (*seen & bit)
        return wrong("it is there twice");
    *seen |= bit;
    tally->bugs++;
    tally->deadlocks += deadlock;
    char *why = check_preemptions(&s, tally);
    return why ? why : check_decisive(&s, tally);
}

static char *check_with_run(const struct said_truth *truth, const cJSON *bug, const char *folder, uint64_t *seen,
                            struct said_tally *tally)
{
    struct schedule run = {0};
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, text_at(bug, "schedule"));
    FILE *file = fopen(path, "r");
    const char *unreadable = file ? schedule_read(file, &run) : "it is not there";
    if (file)
        fclose(file);
    char *why = unreadable ? wrong("its schedule: %s", unreadable) : check_bug(truth, bug, &run, seen, tally);
    schedule_free(&run);
    return why;
}

char *said_check(const struct said_truth *truth, const cJSON *report, const char *folder, struct said_tally *tally)
{
    uint64_t seen = 0;
    const cJSON *bug;
    cJSON_ArrayForEach(bug, cJSON_GetObjectItem(report, "bugs"))
    {
        char *why = check_with_run(truth, bug, folder, &seen, tally);
        if (!why)
            continue;
        char *text = wrong("%s: %s", text_at(bug, "message"), why);
        free(why);
        return text;
    }
    for (uint32_t i = 0; i < truth->bugs; i++) {
        const struct said_bug *b = &truth->bug[i];
        if (!(seen >> i & 1))
            return b->deadlock ? wrong("a deadlock is missing")
                               : wrong("the assertion in line %u is missing", truth->p->code[b->thread][b->pc].line);
    }
    return NULL;
}
