#include "supervise/lin_object.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/time.h"
#include "report/symbols.h"
#include "supervise/globals.h"
#include "supervise/hunt.h"

const char *const lin_judgements[] = {"linearizable", "sequential", "quiescent", NULL};

// Lessons about the program hold for later clients too, though these may not need every racy word.
static void keep_lessons(struct lessons *to, const struct lessons *from)
{
    enum { ROOM = sizeof to->racy / sizeof *to->racy };
    *to = *from;
    if (to->racy_count > ROOM / 2)
        to->racy_count = 0;
}

void lin_keep_lessons(struct job *to, const struct job *from)
{
    keep_lessons(&to->learnt, &from->learnt);
}

void lin_known(const struct lin *lin, struct lessons *known)
{
    keep_lessons(known, &lin->check.job->learnt);
}

// A job with the same task and knowledge of the program, and no clients yet.
static struct job *job_like(const struct job *from)
{
    struct job *job = job_new();
    job->task = from->task;
    lin_keep_lessons(job, from);
    job->client = from->client;
    job->client.answer = (struct client_answer){0};
    job->client.clients = job->client.watch = 0;
    return job;
}

struct job *lin_job(const struct lin *lin)
{
    return job_like(lin->check.job);
}

// A program with symbols and without an object need not be run to be refused; an ordinary one might never end.
static bool has_no_object(const char *program)
{
    uint64_t ignored;
    return globals_find(program, "_IO_stdin_used+0", &ignored) &&
           !globals_find(program, "heddle_lin_object+0", &ignored);
}

const char *lin_describe(const struct subject *subject, struct job *job, char *why, size_t room)
{
    enum { SECONDS = 5 };
    struct subject quiet = {.program = subject->program, .arguments = subject->arguments};
    struct job *ask = job_new();
    const char *wrong = NULL;
    ask->client.mode = CLIENT_DESCRIBE;
    ask->task.max_executions = 1;
    ask->task.seconds = SECONDS;
    bool none = has_no_object(subject->program);
    if (!none && run_job(&quiet, ask, -1))
        wrong = "cannot be run";
    else if (ask->answer.end == JOB_UNSUPPORTED && ask->answer.reason[0]) {
        snprintf(why, room, "cannot be used: %s", ask->answer.reason);
        wrong = why;
    } else if (!ask->client.object.described)
        wrong = "declares no object with heddle_lin (see heddle-lin(1))";
    job->client.object = ask->client.object;
    job->client.mode = CLIENT_RUN;
    job_free(ask);
    return wrong;
}

static bool read_judgement(const char *word, size_t length, uint32_t *judgement)
{
    for (uint32_t i = 0; lin_judgements[i]; i++) {
        if (strlen(lin_judgements[i]) == length && !strncmp(word, lin_judgements[i], length)) {
            *judgement = i;
            return true;
        }
    }
    return false;
}

static bool allow_failure(struct client_object *object, const char *names)
{
    while (names && *names) {
        size_t length = strcspn(names, ",");
        bool known = false;
        for (uint32_t i = 0; i < object->operations; i++) {
            struct client_operation *op = &object->operation[i];
            if (strlen(op->name) == length && !strncmp(op->name, names, length))
                op->may_fail = known = true;
        }
        if (!known)
            return false;
        names += length + (names[length] == ',');
    }
    return true;
}

// "linearizable may-fail=try_push,try_pop: push(1) | pop()"
const char *lin_choose(const struct subject *subject, struct job *job, const char *text, char *why, size_t room)
{
    static const char option[] = " may-fail=";
    const char *colon = strstr(text, ": "), *word = colon ? strpbrk(text, " :") : NULL;
    const char *wrong = lin_describe(subject, job, why, room);
    char names[512] = "";
    if (wrong)
        return wrong;
    if (!colon || !read_judgement(text, (size_t)(word - text), &job->client.judgement))
        return "has a client without a judgement";
    if (word < colon && strncmp(word, option, strlen(option)) != 0)
        return "has a client with an option that heddle does not know";
    if (word < colon)
        snprintf(names, sizeof names, "%.*s", (int)(colon - word - (long)strlen(option)), word + strlen(option));
    if (!allow_failure(&job->client.object, names))
        return "has a client with an operation that the object does not have";
    job->client.clients = 1;
    return client_parse(&job->client.client[0], &job->client.object, colon + 2, why, room);
}

// ---- making it small ----

// Whether the smaller client fails too; `whole` if this is known for certain.
static bool still_fails(struct lin *lin, const struct client *client, double seconds, bool *whole)
{
    struct job *job = job_like(lin->check.job);
    struct subject quiet = lin->check.subject;
    quiet.progress = false;
    job->client.client[0] = *client;
    job->client.clients = 1;
    job->task.seconds = seconds;
    bool fails = false;
    if (!run_job(&quiet, job, -1))
        for (uint32_t i = 0; i < job->answer.bugs; i++)
            fails |= !bug_traits(job->answer.bug[i].bug.kind)->goes_on;
    *whole = fails || (job->answer.end == JOB_DONE && !job->answer.counts.cut);
    job_free(job);
    return fails;
}

static void lin_shrink(struct hunt *h)
{
    struct lin *lin = h->lin;
    double until = time_now() + lin->shrink_seconds;
    struct client smaller;
    bool sure = true;
    for (uint32_t nth = 0; client_smaller(&h->failing, &lin->check.job->client.object, nth, &smaller);) {
        double left = until - time_now();
        bool whole = false;
        if (left <= 0 || run_interrupted()) {
            sure = false;
            break;
        }
        if (still_fails(lin, &smaller, left, &whole)) {
            h->failing = smaller;
            lin->shrunk = true;
            nth = 0;
            sure = true;
            continue;
        }
        sure &= whole;
        nth++;
    }
    lin->smallest = sure;
}

// ---- the one that fails ----

// Reports first the results that no order explains, then the races of the same client.
static void put_first(struct report_summary *summary)
{
    for (size_t i = 1; i < summary->bug_count; i++) {
        if (bug_traits(summary->bugs[i].bug->bug.kind)->goes_on || !bug_traits(summary->bugs[0].bug->bug.kind)->goes_on)
            continue;
        struct report_bug first = summary->bugs[0];
        summary->bugs[0] = summary->bugs[i];
        summary->bugs[i] = first;
    }
}

static bool write_origin(struct lin *lin, const struct client *client)
{
    struct buffer text = {0};
    const struct client_object *object = &lin->check.job->client.object;
    const char *between = " may-fail=";
    client_show(client, object, lin->client, sizeof lin->client);
    buffer_add(&text, "%s", lin_judgements[lin->check.job->client.judgement]);
    for (uint32_t i = 0; lin->may_fail && i < object->operations; i++) {
        if (!object->operation[i].may_fail)
            continue;
        buffer_add(&text, "%s%s", between, object->operation[i].name);
        between = ",";
    }
    buffer_add(&text, ": %s", lin->client);
    lin->check.origin.client = text.text;
    return true;
}

// `races`: races are all that is wrong with the client, so the job must not know the racy words beforehand.
static int lin_explain(struct lin *lin, const struct client *client, bool races)
{
    struct check check = lin->check;
    write_origin(lin, client);
    check.origin = lin->check.origin;
    check.subject.progress = false;
    lin->job = check.job = job_like(lin->check.job);
    check.job->client.client[0] = *client;
    check.job->client.clients = 1;
    check.job->task.seconds = 0;
    if (races)
        check.job->learnt.racy_count = 0;
    int status = check_run(&check, &lin->outcome);
    if (status != 1) {
        outcome_free(&lin->outcome);
        snprintf(lin->reason_text, sizeof lin->reason_text, "the client %.300s failed, and then did not fail again",
                 lin->client);
        lin->reason = lin->reason_text;
        return status == 2 ? 2 : 3;
    }
    lin->failed = true;
    put_first(&lin->outcome.summary);
    return status;
}

static const char *parse_around(struct lin *lin, struct client *around, char *why, size_t room)
{
    struct buffer text = {0};
    const struct client_object *object = &lin->check.job->client.object;
    char call[128] = "";
    struct client_call any = {0};
    // Any call will do for a thread, since only what stands around it is taken.
    client_show(&(struct client){.calls = 1, .threads = 1, .call = {{.operation = any.operation, .thread = 1}}}, object,
                call, sizeof call);
    if (lin->before)
        buffer_add(&text, "[%s] ", lin->before);
    buffer_add(&text, "%s", call);
    if (lin->after)
        buffer_add(&text, " [%s]", lin->after);
    const char *wrong = client_parse(around, object, text.text, why, room);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < around->calls; i++)
        if (around->call[i].thread != 1 && around->call[i].operation != CLIENT_OBSERVE)
            around->call[kept++] = around->call[i];
    around->calls = kept;
    buffer_free(&text);
    return wrong;
}

static int lin_refuse(const struct lin *lin, const char *why)
{
    fprintf(stderr, "heddle lin: %s: %s\n", lin->check.name, why);
    return 2;
}

// Whoever waits for a call that stands still breaks every promise of progress.
static const struct client_blocking *broken_promise(const struct lin *lin)
{
    for (uint32_t i = 0; i < lin->blockings; i++)
        if (lin->blocking[i].blocked < CLIENT_OPERATIONS &&
            lin->check.job->client.object.operation[lin->blocking[i].blocked].progress)
            return &lin->blocking[i];
    return NULL;
}

static bool some_promise(const struct client_object *object)
{
    for (uint32_t i = 0; i < object->operations; i++)
        if (object->operation[i].progress)
            return true;
    return false;
}

static int judge_progress(struct lin *lin, int status)
{
    if (!lin->failed)
        lin->broken = broken_promise(lin);
    if (lin->broken)
        return 1;
    if (!status && !lin->watched && some_promise(&lin->check.job->client.object)) {
        lin->reason =
            "whether operations keep what they promise of progress was not looked at: no client has few enough states";
        return 3;
    }
    return status;
}

static int lin_finish(struct hunt *h)
{
    struct lin *lin = h->lin;
    if (h->failed && (lin->given || !h->in_order))
        lin_shrink(h);
    else if (h->failed)
        lin->smallest = true;
    int status = lin->reason ? 3 : 0;
    if (h->failed || h->raced)
        status = lin_explain(lin, h->failed ? &h->failing : &h->racing, !h->failed);
    if (h->failed && status == 1 && lin->repair.seconds > 0)
        repair_find(&lin->repair, lin, &h->failing, lin->beyond ? &h->failing : h->given, h->around);
    return judge_progress(lin, status);
}

void lin_place(const struct lin *lin, uint64_t pc, struct buffer *text)
{
    struct symbols *symbols = symbols_new();
    struct symbols_place place;
    if (symbols_add(symbols, lin->check.subject.program, 0) && symbols_places(symbols, pc, &place, 1) && place.file)
        buffer_add(text, "%s:%d", place.file, place.line);
    symbols_free(symbols);
}

int lin_run(struct lin *lin)
{
    struct hunt h = {.lin = lin};
    struct client around = {0}, given = {0};
    char why[512];
    double started = time_now();
    struct client_object *object = &lin->check.job->client.object;
    const char *wrong = lin_describe(&lin->check.subject, lin->check.job, why, sizeof why);
    if (wrong) {
        fprintf(stderr, "heddle lin: %s %s\n", lin->check.name, wrong);
        return 2;
    }
    h.around = &around;
    h.given = lin->given ? &given : NULL;
    h.until = lin->seconds > 0 ? started + lin->seconds : 0;
    if (!allow_failure(object, lin->may_fail))
        return lin_refuse(lin, "--may-fail names an operation that the object does not have");
    if (lin->before || lin->after)
        wrong = parse_around(lin, &around, why, sizeof why);
    if (!wrong && lin->given)
        wrong = client_parse(&given, object, lin->given, why, sizeof why);
    lin->bounds.one_thread_too = object->has_model;
    if (!wrong && !lin->given)
        wrong = inventor_begin(&h.clients, object, &lin->bounds, &around);
    if (!lin->judge_given)
        lin->check.job->client.judgement = object->judges;
    bool good = !wrong && (lin->given ? hunt_one(&h, &given) : hunt_by_workers(&h));
    int status = wrong ? lin_refuse(lin, wrong) : good ? lin_finish(&h) : 2;
    lin->took = time_now() - started - lin->repair.took;
    hunt_free(&h);
    return status;
}

void lin_free(struct lin *lin)
{
    repair_free(&lin->repair);
    if (lin->failed)
        outcome_free(&lin->outcome);
    if (lin->job)
        job_free(lin->job);
    free(lin->check.origin.client);
    lin->check.origin.client = NULL;
}
