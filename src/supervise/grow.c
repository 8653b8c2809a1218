#include "supervise/grow.h"

#include "base/interrupt.h"
#include "base/time.h"

// A client beyond the bounds is one of many, most of which show nothing: each is given few executions.
enum { EXECUTIONS = 4000, AT_FIRST = 16 };

// Seconds that a batch should take: the rows are to take turns, and processes are to be few.
static const double short_batch = 0.2, long_batch = 1;

struct row {
    double spent;
    uint32_t batch; // clients
};

static double end_of(const struct hunt *h)
{
    const struct lin *lin = h->lin;
    double now = time_now(), until = now + lin->grow_seconds;
    if (h->until <= 0)
        return until;
    if (!lin->grow_given) // there is this much, and those that were put off have a claim to half of it
        until = h->put_off_count ? now + (h->until - now) / 2 : h->until;
    return until < h->until ? until : h->until;
}

static void keep_size(struct growth_size *size, const struct job *job)
{
    uint64_t done = job->client.answer.at + (job->answer.end == JOB_DONE || job->answer.end == JOB_BUG);
    size->clients += done;
    size->left += job->client.answer.left;
    if (job->answer.counts.cut && !job->client.answer.left)
        size->left++;
    size->all &= job->answer.end == JOB_DONE;
}

// The next clients of a row, or null.
static struct job *next_of_row(struct hunt *h, enum growth_row which, uint32_t clients, double until, uint32_t *size)
{
    struct lin *lin = h->lin;
    struct job *job = lin_job(lin);
    job->client.before = lin->clients;
    job->client.watch = 1;
    job->client.most = EXECUTIONS;
    job->client.clients = growth_next(&lin->growth, which, job->client.client, clients);
    job->task.seconds = until - time_now();
    *size = lin->growth.row[which].sizes - 1;
    if (job->client.clients && job->task.seconds > 0)
        return job;
    if (job->client.clients)
        lin->growth.row[which].size[*size].all = false;
    job_free(job);
    return NULL;
}

static bool grow_by_one(struct hunt *h, enum growth_row which, uint32_t clients, double until, bool *over)
{
    uint32_t size;
    struct job *job = next_of_row(h, which, clients, until, &size);
    bool good = !job || hunt_explore(h, job);
    if (!job)
        return true;
    keep_size(&h->lin->growth.row[which].size[size], job);
    *over = job->answer.end != JOB_DONE;
    job_free(job);
    return good;
}

// As many batches as there are workers. Which clients are tried depends on time in any case, so no batch has to know what others have
// taught.
static bool grow_by_several(struct hunt *h, enum growth_row which, uint32_t clients, double until, bool *over)
{
    uint32_t size;
    struct job *job;
    while (batches_want(h->beside) && (job = next_of_row(h, which, clients, until, &size)))
        batches_give(h->beside, job, size);
    bool good = true;
    while (good && h->beside->count && !h->failed && !*over) {
        job = batches_take(h->beside, NULL, &size);
        good = job != NULL;
        if (!good)
            break;
        hunt_keep(h, job);
        keep_size(&h->lin->growth.row[which].size[size], job);
        *over = job->answer.end != JOB_DONE;
        job_free(job);
    }
    for (uint32_t i = 0; i < h->beside->count; i++)
        h->lin->growth.row[which].size[h->beside->batch[i].tag].all = false;
    batches_drop(h->beside);
    return good;
}

// False if the program could not be run.
static bool grow_row(struct hunt *h, enum growth_row which, struct row *row, double until, bool *over)
{
    struct lin *lin = h->lin;
    const char *reason = lin->reason;
    uint64_t left = lin->left;
    double started = time_now();
    bool good =
        h->beside ? grow_by_several(h, which, row->batch, until, over) : grow_by_one(h, which, row->batch, until, over);
    lin->reason = reason;
    lin->left = left;
    double took = time_now() - started;
    row->spent += took;
    if (took < short_batch && row->batch < CLIENT_BATCH)
        row->batch *= 2;
    else if (took > long_batch && row->batch > 1)
        row->batch /= 2;
    return good;
}

bool grow(struct hunt *h)
{
    struct lin *lin = h->lin;
    struct growth *growth = &lin->growth;
    struct row row[GROWTH_ROWS] = {{0, AT_FIRST}, {0, AT_FIRST}};
    double started = time_now(), until = end_of(h);
    bool good = true, over = false, in_order = h->in_order;
    growth_begin(growth, &lin->check.job->client.object, &lin->bounds, h->around);
    lin->grew = true;
    h->in_order = false;
    while (good && !over && !h->failed && !run_interrupted() && time_now() < until) {
        bool threads = growth->row[GROWTH_BEFORE].over ||
                       (!growth->row[GROWTH_THREADS].over && row[GROWTH_THREADS].spent <= row[GROWTH_BEFORE].spent);
        enum growth_row which = threads ? GROWTH_THREADS : GROWTH_BEFORE;
        if (growth->row[which].over)
            break;
        good = grow_row(h, which, &row[which], until, &over);
    }
    growth_end(growth);
    lin->grow_took = time_now() - started;
    if (!h->failed)
        h->in_order = in_order;
    lin->beyond = h->failed;
    lin->grow_stopped = run_interrupted() ? interrupt_reason() : NULL;
    return good;
}
