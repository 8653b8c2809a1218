#include "supervise/hunt.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "base/time.h"
#include "supervise/grow.h"

bool hunt_time_left(const struct hunt *h, struct job *job)
{
    job->task.seconds = h->until > 0 ? h->until - time_now() : 0;
    return h->until <= 0 || job->task.seconds > 0;
}

static void keep_blocking(struct lin *lin, const struct client_answer *from)
{
    lin->watched += from->watched;
    for (uint32_t i = 0; i < from->blockings; i++) {
        bool known = false;
        for (uint32_t k = 0; k < lin->blockings; k++)
            known |= lin->blocking[k].blocker == from->blocking[i].blocker &&
                     lin->blocking[k].blocked == from->blocking[i].blocked;
        if (!known && lin->blockings < CLIENT_BLOCKINGS)
            lin->blocking[lin->blockings++] = from->blocking[i];
    }
}

static void hunt_count(struct hunt *h, const struct job *job)
{
    struct lin *lin = h->lin;
    lin->clients += job->client.answer.at + (job->answer.end == JOB_DONE || job->answer.end == JOB_BUG);
    lin->executions += job->client.answer.executions + job->answer.counts.executions;
    lin->events += job->client.answer.events + job->answer.counts.events;
    lin->histories += job->client.answer.histories;
    lin->stuck += job->client.answer.stuck;
    lin->outcomes += job->client.answer.outcomes;
    keep_blocking(lin, &job->client.answer);
    lin->matched += job->client.answer.matched;
    lin->states += job->client.answer.states;
    if (job->client.answer.most_states > lin->most_states)
        lin->most_states = job->client.answer.most_states;
    lin->left += job->client.answer.left;
}

static void keep_finding(struct hunt *h, const struct job *job)
{
    for (uint32_t i = 0; i < job->answer.bugs; i++) {
        const struct client *client = &job->client.client[job->answer.bug[i].client];
        if (job->answer.bug[i].bug.kind == BUG_RACE && job->task.rules.races == RACES_EXPLORE) {
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
    client_show(&job->client.client[job->client.answer.at], &job->client.object, client, sizeof client);
    switch ((enum job_end)job->answer.end) {
    case JOB_DONE:
        if (job->client.answer.cut)
            snprintf(lin->reason_text, sizeof lin->reason_text, "executions were cut after %u events (--max-steps)",
                     job->task.max_steps);
        else if (job->answer.unseen_calls)
            snprintf(lin->reason_text, sizeof lin->reason_text, "heddle does not know what memory is used by `%s' (%s)",
                     job->answer.unseen_call[0].name, job->answer.unseen_call[0].library);
        return job->client.answer.cut || job->answer.unseen_calls ? lin->reason_text : NULL;
    case JOB_BUG:
        return NULL;
    case JOB_TIME:
        return "the time was over";
    case JOB_INTERRUPTED:
        return interrupt_reason();
    case JOB_EXECUTIONS:
        return "the bound on executions was reached";
    case JOB_STUCK:
        snprintf(lin->reason_text, sizeof lin->reason_text,
                 "a thread runs on for ever without a visible operation in the client %.300s", client);
        return lin->reason_text;
    default:
        snprintf(lin->reason_text, sizeof lin->reason_text, "%.200s (in the client %.280s)", job->answer.reason,
                 client);
        return lin->reason_text;
    }
}

static void keep_notes(struct lin *lin, const struct answer *from)
{
    for (uint32_t i = 0; i < from->notes; i++) {
        uint32_t k = 0;
        while (k < lin->note_count && strcmp(lin->notes[k], from->note[i]) != 0)
            k++;
        if (k == lin->note_count && k < JOB_NOTES)
            memcpy(lin->notes[lin->note_count++], from->note[i], JOB_NOTE_TEXT);
    }
}

static void keep_assumptions(struct lin *lin, const struct job *job)
{
    size_t n = 0;
    lin->assumptions[n++] = "memory is sequentially consistent";
    lin->assumptions[n++] = job->task.rules.spurious
                                ? "condition variables have only as many spurious wake-ups as --spurious says"
                                : "condition variables have no spurious wake-ups";
    if (fault_any(job->task.rules.faults))
        lin->assumptions[n++] = "no execution has more faults than --fault allows, and calls that libraries make for "
                                "themselves have none";
    lin->assumptions[n++] =
        "inline assembly is not seen, and functions of libraries use only memory that heddle knows of";
    if (!job->client.object.has_model)
        lin->assumptions[n++] = "what calls may give is what the object itself gives, one call at a time";
    if (lin->matched) {
        lin->assumptions[n++] = "no two different states have the same fingerprint of 128 bits (--no-match)";
        lin->assumptions[n++] =
            "where states were matched, races that only memory orders weaker than sequential consistency make "
            "were not all looked for";
    }
    keep_notes(lin, &job->answer);
    for (uint32_t i = 0; i < lin->note_count; i++)
        lin->assumptions[n++] = lin->notes[i];
    lin->assumption_count = n;
}

// Other clients may still show something.
static bool holds_for_clients_alone(const char *reason)
{
    return !strncmp(reason, "executions were cut", 19) || !strncmp(reason, "heddle does not know", 20);
}

// What clients alone are to blame for is told once, and that executions were cut before all else. So it does not matter which
// clients are in one batch.
static void keep_reason(struct lin *lin, const struct job *job)
{
    char before[sizeof lin->reason_text];
    bool told = lin->reason && holds_for_clients_alone(lin->reason);
    memcpy(before, lin->reason_text, sizeof before);
    const char *why = why_stopped(lin, job);
    if (told && why && holds_for_clients_alone(why) && (!strncmp(before, "executions", 10) || *why == 'h'))
        memcpy(lin->reason_text, before, sizeof before);
    else if (why)
        lin->reason = why;
}

void hunt_keep(struct hunt *h, struct job *job)
{
    struct lin *lin = h->lin;
    hunt_count(h, job);
    keep_finding(h, job);
    lin_keep_lessons(lin->check.job, job);
    keep_assumptions(lin, job);
    if (!h->failed)
        keep_reason(lin, job);
}

bool hunt_explore(struct hunt *h, struct job *job)
{
    struct subject subject = h->lin->check.subject;
    subject.progress = h->lin->progress;
    if (run_job(&subject, job, -1))
        return false;
    hunt_keep(h, job);
    return true;
}

// ---- batches ----

// Adds clients to the batch; false if none are left.
typedef bool fill_batch(struct hunt *h, struct client_job *batch);
static fill_batch fill_put_off;

static bool must_end(const struct hunt *h)
{
    return h->failed || (h->lin->reason && !holds_for_clients_alone(h->lin->reason)) || run_interrupted();
}

static void note_open(struct hunt *h, const struct client *client)
{
    uint32_t calls = 0;
    for (uint32_t i = 0; i < client->calls; i++)
        calls += client->call[i].thread != CLIENT_BEFORE && client->call[i].thread != CLIENT_AFTER;
    if (calls && (!h->lin->open_calls || calls < h->lin->open_calls))
        h->lin->open_calls = calls;
}

static void put_off(struct hunt *h, const struct client *client)
{
    h->put_off = alloc_grow(h->put_off, h->put_off_count, &h->put_off_room, sizeof *h->put_off);
    h->put_off[h->put_off_count++] = *client;
    h->in_order = false;
}

// Those that have more executions than a client is given at first are not done.
static void put_off_unfinished(struct hunt *h, const struct job *job)
{
    for (uint32_t i = 0; i < job->client.clients; i++)
        if (job->client.answer.unfinished[i])
            put_off(h, &job->client.client[i]);
    h->lin->clients -= job->client.answer.left;
    h->lin->left -= job->client.answer.left;
}

// The smallest client of the batch that may have executions which were not seen, or was not begun; null if there is none.
static const struct client *first_open(const struct job *job)
{
    const struct client_job *batch = &job->client;
    if (batch->answer.doubtful)
        return &batch->client[batch->answer.doubtful - 1];
    return job->answer.end == JOB_DONE || job->answer.end == JOB_BUG ? NULL : &batch->client[batch->answer.at];
}

// The next batch; null if no client is left for it.
static struct job *new_batch(struct hunt *h, fill_batch *fill)
{
    struct job *job = h->held;
    h->held = NULL;
    if (job)
        return job;
    job = lin_job(h->lin);
    job->client.before = h->lin->clients;
    job->client.watch = 1;
    if (fill(h, &job->client))
        return job;
    job_free(job);
    return NULL;
}

// The next one that was explored; null without one. False if the program could not be run.
static bool explore_next(struct hunt *h, fill_batch *fill, struct job **job)
{
    *job = new_batch(h, fill);
    if (!*job)
        return true;
    if (hunt_time_left(h, *job))
        return hunt_explore(h, *job);
    h->lin->reason = "the time was over";
    return true;
}

// The same with several workers, who explore the batches after it as well.
static bool explore_beside(struct hunt *h, fill_batch *fill, struct job **job)
{
    struct lessons known;
    *job = NULL;
    while (batches_want(h->beside) && (*job = new_batch(h, fill)) && hunt_time_left(h, *job))
        batches_give(h->beside, *job, 0);
    if (batches_want(h->beside) && *job && h->beside->count) {
        h->held = *job; // the time is over; those that were begun notice it themselves
    } else if (!h->beside->count) {
        if (*job)
            h->lin->reason = "the time was over";
        return true;
    }
    lin_known(h->lin, &known);
    *job = batches_take(h->beside, &known, NULL);
    if (*job)
        hunt_keep(h, *job);
    return *job != NULL;
}

static bool explore_batches(struct hunt *h, fill_batch *fill)
{
    struct lin *lin = h->lin;
    bool good = true, more = true;
    while (good && more && !must_end(h)) {
        struct job *job;
        good = h->beside ? explore_beside(h, fill, &job) : explore_next(h, fill, &job);
        more = job != NULL;
        if (more && !h->sampling)
            put_off_unfinished(h, job);
        if (more && !h->sampling && lin->reason && first_open(job))
            note_open(h, first_open(job));
        if (more && fill == fill_put_off)
            h->put_off_done += job->client.clients;
        if (job)
            job_free(job);
    }
    if (h->beside)
        batches_drop(h->beside);
    if (h->held)
        job_free(h->held);
    h->held = NULL;
    if (more && !h->failed && !lin->reason && run_interrupted())
        lin->reason = interrupt_reason(); // between two batches
    return good;
}

// Several workers get smaller batches, so that all have some, and still spend little of their time on beginning.
static uint32_t batch_size(const struct hunt *h, uint32_t beside)
{
    return h->beside ? beside : CLIENT_BATCH;
}

static bool fill_in_order(struct hunt *h, struct client_job *batch)
{
    if (h->lin->grow_seconds > 0)
        batch->most = HUNT_EXECUTIONS;
    while (batch->clients < batch_size(h, 64) && inventor_next(&h->clients, &batch->client[batch->clients]))
        batch->clients++;
    return batch->clients > 0;
}

static bool fill_put_off(struct hunt *h, struct client_job *batch)
{
    for (; batch->clients < batch_size(h, 2) && h->put_off_begun < h->put_off_count; h->put_off_begun++)
        batch->client[batch->clients++] = h->put_off[h->put_off_begun];
    return batch->clients > 0;
}

static bool fill_random(struct hunt *h, struct client_job *batch)
{
    struct lin *lin = h->lin;
    batch->most = lin->sample_executions;
    for (; batch->clients < batch_size(h, 16) && h->random; h->random--)
        batch->clients +=
            inventor_random(&h->clients, lin->sample_threads, lin->sample_calls, &batch->client[batch->clients]);
    return batch->clients > 0;
}

static bool explore_random(struct hunt *h)
{
    h->in_order = false;
    h->sampling = true;
    h->clients.random = h->lin->seed;
    h->random = h->lin->samples;
    return !h->random || explore_batches(h, fill_random);
}

static bool hunt_all(struct hunt *h)
{
    h->in_order = true;
    bool good = explore_batches(h, fill_in_order);
    if (good && !must_end(h) && h->lin->grow_seconds > 0)
        good = grow(h);
    if (good && !must_end(h))
        good = explore_batches(h, fill_put_off);
    for (uint64_t i = h->put_off_done; i < h->put_off_count; i++)
        note_open(h, &h->put_off[i]);
    return good && !must_end(h) ? explore_random(h) : good;
}

bool hunt_by_workers(struct hunt *h)
{
    struct batches batches;
    struct subject subject = h->lin->check.subject;
    subject.progress = h->lin->progress;
    if (h->lin->workers < 2)
        return hunt_all(h);
    if (batches_open(&batches, &subject, h->lin->workers))
        return false;
    h->beside = &batches;
    bool good = hunt_all(h);
    batches_close(&batches);
    h->beside = NULL;
    return good;
}

bool hunt_one(struct hunt *h, const struct client *client)
{
    struct job *job = lin_job(h->lin);
    job->client.client[0] = *client;
    job->client.clients = job->client.watch = 1;
    hunt_time_left(h, job);
    bool good = hunt_explore(h, job);
    job_free(job);
    return good;
}

void hunt_free(struct hunt *h)
{
    free(h->put_off);
    inventor_end(&h->clients);
}
