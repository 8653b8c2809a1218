#include "supervise/lin.h"
#include "report/symbols.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/interrupt.h"

const char *const lin_judgements[] = {"linearizable", "sequential", "quiescent", NULL};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// What was learnt about the program holds for later clients too; of racy words it may be too much.
static void keep_lessons(struct job *to, const struct job *from)
{
    enum { ROOM = sizeof to->learnt.racy / sizeof *to->learnt.racy };
    to->learnt = from->learnt;
    if (to->learnt.racy_count > ROOM / 2)
        to->learnt.racy_count = 0;
}

// A job with the same task and knowledge of the program, and no clients yet.
static struct job *job_like(const struct job *from)
{
    struct job *job = job_new();
    job_copy_task(job, from);
    keep_lessons(job, from);
    job->client = from->client;
    job->client.clients = job->client.at = 0;
    job->client.executions = job->client.events = job->client.histories = job->client.stuck = job->client.left = 0;
    job->client.watch = job->client.blockings = 0;
    job->client.watched = 0;
    job->client.outcomes = job->client.matched = job->client.states = job->client.most_states = 0;
    return job;
}

struct job *lin_job(const struct lin *lin)
{
    return job_like(lin->check.job);
}

const char *lin_describe(const struct subject *subject, struct job *job, char *why, size_t room)
{
    struct subject quiet = {.program = subject->program, .arguments = subject->arguments};
    struct job *ask = job_new();
    const char *wrong = NULL;
    ask->client.mode = CLIENT_DESCRIBE;
    if (run_job(&quiet, ask, -1))
        wrong = "cannot be run";
    else if (ask->end == JOB_UNSUPPORTED && ask->reason[0]) {
        snprintf(why, room, "cannot be used: %s", ask->reason);
        wrong = why;
    } else if (!ask->client.described)
        wrong = "declares no object with heddle_lin (see heddle-lin(1))";
    uint32_t judgement = job->client.judgement, match = job->client.match;
    job->client = ask->client;
    job->client.mode = CLIENT_RUN;
    job->client.judgement = judgement;
    job->client.match = match;
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

static bool allow_failure(struct client_job *object, const char *names)
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
    if (!allow_failure(&job->client, names))
        return "has a client with an operation that the object does not have";
    job->client.clients = 1;
    return client_parse(&job->client.client[0], &job->client, colon + 2, why, room);
}

// ---- searching ----

struct hunt {
    struct lin *lin;
    struct clients clients;
    double until;         // 0: never
    struct client failing;
    bool failed;          // not only by a race
    struct client racing; // the first client with a race
    bool raced;
    bool in_order;        // clients come smallest first
    const struct client *given, *around; // given: the only one, or null
};

static bool time_left(const struct hunt *h, struct job *job)
{
    job->seconds = h->until > 0 ? h->until - now() : 0;
    return h->until <= 0 || job->seconds > 0;
}

static void keep_blocking(struct lin *lin, const struct client_job *from)
{
    lin->watched += from->watched;
    for (uint32_t i = 0; i < from->blockings; i++) {
        bool known = false;
        for (uint32_t k = 0; k < lin->blockings; k++)
            known |= lin->blocking[k].blocker == from->blocking[i].blocker && lin->blocking[k].blocked == from->blocking[i].blocked;
        if (!known && lin->blockings < CLIENT_BLOCKINGS)
            lin->blocking[lin->blockings++] = from->blocking[i];
    }
}

static void count(struct hunt *h, const struct job *job)
{
    struct lin *lin = h->lin;
    lin->clients += job->client.at + (job->end == JOB_DONE || job->end == JOB_BUG);
    lin->executions += job->client.executions + job->executions;
    lin->events += job->client.events + job->events;
    lin->histories += job->client.histories;
    lin->stuck += job->client.stuck;
    lin->outcomes += job->client.outcomes;
    keep_blocking(lin, &job->client);
    lin->matched += job->client.matched;
    lin->states += job->client.states;
    if (job->client.most_states > lin->most_states)
        lin->most_states = job->client.most_states;
    lin->left += job->client.left;
}

static void keep_finding(struct hunt *h, const struct job *job)
{
    for (uint32_t i = 0; i < job->bugs; i++) {
        const struct client *client = &job->client.client[job->bug[i].client];
        if (job->bug[i].bug.kind == BUG_RACE && job->races == RACES_EXPLORE) {
            if (!h->raced)
                h->racing = *client;
            h->raced = true;
        } else {
            h->failing = *client;
            h->failed = true;
        }
    }
}

// Why the batch did not come to its end; null if it did.
static const char *why_stopped(struct lin *lin, const struct job *job)
{
    char client[1024];
    client_show(&job->client.client[job->client.at], &job->client, client, sizeof client);
    switch ((enum job_end)job->end) {
    case JOB_DONE:
        if (job->cut)
            snprintf(lin->reason_text, sizeof lin->reason_text, "executions were cut after %u events (--max-steps)", job->max_steps);
        else if (job->unseen_calls)
            snprintf(lin->reason_text, sizeof lin->reason_text, "heddle does not know what memory is used by `%s' (%s)",
                     job->unseen_call[0].name, job->unseen_call[0].library);
        return job->cut || job->unseen_calls ? lin->reason_text : NULL;
    case JOB_BUG: return NULL;
    case JOB_TIME: return "the time was over";
    case JOB_INTERRUPTED: return interrupt_reason();
    case JOB_EXECUTIONS: return "the bound on executions was reached";
    case JOB_STUCK:
        snprintf(lin->reason_text, sizeof lin->reason_text,
                 "a thread runs on for ever without a visible operation in the client %.300s", client);
        return lin->reason_text;
    default:
        snprintf(lin->reason_text, sizeof lin->reason_text, "%.200s (in the client %.280s)", job->reason, client);
        return lin->reason_text;
    }
}

static void keep_assumptions(struct lin *lin, const struct job *job)
{
    size_t n = 0;
    lin->assumptions[n++] = "memory is sequentially consistent";
    lin->assumptions[n++] = job->spurious ? "condition variables have only as many spurious wake-ups as --spurious says"
                                          : "condition variables have no spurious wake-ups";
    lin->assumptions[n++] = "inline assembly is not seen, and functions of libraries use no memory but what heddle knows of";
    if (!job->client.has_model)
        lin->assumptions[n++] = "what calls may give is what the object itself gives, one call at a time";
    if (lin->matched) {
        lin->assumptions[n++] = "no two different states have the same fingerprint of 128 bits (--no-match)";
        lin->assumptions[n++] = "where states were matched, races that only memory orders weaker than sequential consistency make "
                                "were not all looked for";
    }
    for (uint32_t i = 0; i < job->notes; i++) {
        memcpy(lin->notes[i], job->note[i], JOB_NOTE_TEXT);
        lin->assumptions[n++] = lin->notes[i];
    }
    lin->assumption_count = n;
}

// Explores the clients of the job. False if it could not be run at all.
static bool explore(struct hunt *h, struct job *job)
{
    struct lin *lin = h->lin;
    struct subject subject = lin->check.subject;
    subject.progress = lin->progress;
    job->client.watch = 1;
    if (run_job(&subject, job, -1))
        return false;
    count(h, job);
    keep_finding(h, job);
    keep_lessons(lin->check.job, job);
    keep_assumptions(lin, job);
    const char *why = h->failed ? NULL : why_stopped(lin, job);
    if (why)
        lin->reason = why;
    return true;
}

// Fills a batch; false if no clients are left.
static bool fill(struct hunt *h, struct job *job, uint64_t *samples)
{
    struct client_job *batch = &job->client;
    struct lin *lin = h->lin;
    while (batch->clients < CLIENT_BATCH) {
        struct client *client = &batch->client[batch->clients];
        if (h->in_order && clients_next(&h->clients, client)) {
            batch->clients++;
            continue;
        }
        if (batch->clients && h->in_order)
            return true;
        h->in_order = false;
        if (!*samples)
            break;
        batch->most = lin->sample_executions;
        --*samples;
        batch->clients += clients_random(&h->clients, lin->sample_threads, lin->sample_calls, client);
    }
    return batch->clients > 0;
}

// Other clients may still show something.
static bool holds_for_clients_alone(const char *reason)
{
    return !strncmp(reason, "executions were cut", 19) || !strncmp(reason, "heddle does not know", 20);
}

static bool must_end(const struct hunt *h)
{
    return h->failed || (h->lin->reason && !holds_for_clients_alone(h->lin->reason)) || run_interrupted();
}

static bool hunt_all(struct hunt *h)
{
    struct lin *lin = h->lin;
    uint64_t samples = lin->samples;
    bool good = true, more = true;
    h->in_order = true;
    h->clients.random = lin->seed;
    while (good && more && !must_end(h)) {
        struct job *job = job_like(lin->check.job);
        job->client.before = lin->clients;
        more = fill(h, job, &samples);
        if (more && !time_left(h, job))
            lin->reason = "the time was over";
        else if (more)
            good = explore(h, job);
        job_free(job);
    }
    if (more && !h->failed && !lin->reason && run_interrupted())
        lin->reason = interrupt_reason(); // between two batches
    return good;
}

static bool hunt_one(struct hunt *h, const struct client *client)
{
    struct job *job = job_like(h->lin->check.job);
    job->client.client[0] = *client;
    job->client.clients = 1;
    time_left(h, job);
    bool good = explore(h, job);
    job_free(job);
    return good;
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
    job->seconds = seconds;
    bool fails = false;
    if (!run_job(&quiet, job, -1))
        for (uint32_t i = 0; i < job->bugs; i++)
            fails |= job->bug[i].bug.kind != BUG_RACE;
    *whole = fails || (job->end == JOB_DONE && !job->cut);
    job_free(job);
    return fails;
}

static void shrink(struct hunt *h)
{
    struct lin *lin = h->lin;
    double until = now() + lin->shrink_seconds;
    struct client smaller;
    bool sure = true;
    for (uint32_t nth = 0; client_smaller(&h->failing, &lin->check.job->client, nth, &smaller);) {
        double left = until - now();
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

// What no order explains comes first; races of the same client are told after it.
static void put_first(struct report_summary *summary)
{
    for (size_t i = 1; i < summary->bug_count; i++) {
        if (summary->bugs[i].bug->bug.kind == BUG_RACE || summary->bugs[0].bug->bug.kind != BUG_RACE)
            continue;
        struct report_bug first = summary->bugs[0];
        summary->bugs[0] = summary->bugs[i];
        summary->bugs[i] = first;
    }
}

static bool write_origin(struct lin *lin, const struct client *client)
{
    struct buffer text = {0};
    const struct client_job *object = &lin->check.job->client;
    const char *between = " may-fail=";
    client_show(client, object, lin->client, sizeof lin->client);
    buffer_add(&text, "%s", lin_judgements[object->judgement]);
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

// `races`: that is all that is wrong with it, so the words that race must not be known beforehand.
static int explain(struct lin *lin, const struct client *client, bool races)
{
    struct check check = lin->check;
    write_origin(lin, client);
    check.origin = lin->check.origin;
    check.subject.progress = false;
    lin->job = check.job = job_like(lin->check.job);
    check.job->client.client[0] = *client;
    check.job->client.clients = 1;
    check.job->seconds = 0;
    if (races)
        check.job->learnt.racy_count = 0;
    int status = check_run(&check, &lin->outcome);
    if (status != 1) {
        outcome_free(&lin->outcome);
        snprintf(lin->reason_text, sizeof lin->reason_text, "the client %.300s failed, and then did not fail again", lin->client);
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
    const struct client_job *object = &lin->check.job->client;
    char call[128] = "";
    struct client_call any = {0};
    // Any call will do for a thread, since only what stands around it is taken.
    client_show(&(struct client){.calls = 1, .threads = 1, .call = {{.operation = any.operation, .thread = 1}}}, object, call,
                sizeof call);
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

static int refuse(const struct lin *lin, const char *why)
{
    fprintf(stderr, "heddle lin: %s: %s\n", lin->check.name, why);
    return 2;
}

static int finish(struct hunt *h)
{
    struct lin *lin = h->lin;
    if (h->failed && (lin->given || !h->in_order))
        shrink(h);
    else if (h->failed)
        lin->smallest = true;
    int status = lin->reason ? 3 : 0;
    if (h->failed || h->raced)
        status = explain(lin, h->failed ? &h->failing : &h->racing, !h->failed);
    if (h->failed && status == 1 && lin->repair.seconds > 0)
        repair_find(&lin->repair, lin, &h->failing, h->given, h->around);
    return status;
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
    double started = now();
    struct client_job *object = &lin->check.job->client;
    const char *wrong = lin_describe(&lin->check.subject, lin->check.job, why, sizeof why);
    if (wrong) {
        fprintf(stderr, "heddle lin: %s %s\n", lin->check.name, wrong);
        return 2;
    }
    h.around = &around;
    h.given = lin->given ? &given : NULL;
    h.until = lin->seconds > 0 ? started + lin->seconds : 0;
    if (!allow_failure(object, lin->may_fail))
        return refuse(lin, "--may-fail names an operation that the object does not have");
    if (lin->before || lin->after)
        wrong = parse_around(lin, &around, why, sizeof why);
    if (!wrong && lin->given)
        wrong = client_parse(&given, object, lin->given, why, sizeof why);
    lin->bounds.one_thread_too = object->has_model;
    if (!wrong)
        wrong = clients_begin(&h.clients, object, &lin->bounds, &around);
    bool good = !wrong && (lin->given ? hunt_one(&h, &given) : hunt_all(&h));
    int status = wrong ? refuse(lin, wrong) : good ? finish(&h) : 2;
    lin->took = now() - started - lin->repair.took;
    clients_end(&h.clients);
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
