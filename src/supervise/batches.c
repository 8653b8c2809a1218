#include "supervise/batches.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"

int batches_open(struct batches *all, const struct subject *subject, uint32_t workers)
{
    *all = (struct batches){.subject = subject, .workers = workers};
    if (errands_open(&all->errands, workers))
        return 2;
    if (subject->progress)
        progress_begin(&all->progress, stderr);
    return 0;
}

void batches_close(struct batches *all)
{
    batches_drop(all);
    errands_close(&all->errands);
}

bool batches_want(const struct batches *all)
{
    return all->count < all->workers;
}

struct batch_order {
    struct subject subject;
    struct job *job;
};

static int run_batch(void *context, struct shelf *shelf)
{
    const struct batch_order *order = context;
    (void)shelf; // the job is in shared memory already
    return run_job(&order->subject, order->job, -1);
}

static void begin_batch(struct batches *all, struct batch *batch)
{
    struct batch_order order = {*all->subject, batch->job};
    order.subject.progress = false;
    batch->began = batch->job->learnt;
    batch->errand = errand_begin(&all->errands, 1, run_batch, &order);
}

void batches_give(struct batches *all, struct job *job, uint32_t tag)
{
    require(batches_want(all));
    struct batch *batch = &all->batch[all->count++];
    *batch = (struct batch){.job = job, .tag = tag};
    begin_batch(all, batch);
}

static void end_errand(struct batches *all, struct batch *batch)
{
    if (batch->errand)
        errand_free(&all->errands, batch->errand);
    batch->errand = NULL;
}

// With the same clients, and what is known now.
static void begin_again(struct batches *all, struct batch *batch, const struct lessons *known)
{
    struct job *job = batch->job, *again = job_new();
    end_errand(all, batch);
    again->task = job->task;
    again->client = job->client;
    again->client.answer = (struct client_answer){0};
    again->learnt = *known;
    job_free(job);
    batch->job = again;
    begin_batch(all, batch);
}

static void begin_all_again(struct batches *all, const struct lessons *known)
{
    for (uint32_t i = 0; i < all->count; i++)
        if (memcmp(&all->batch[i].began, known, sizeof *known) != 0)
            begin_again(all, &all->batch[i], known);
}

static void wait_for_first(struct batches *all)
{
    const struct batch *first = &all->batch[0];
    while (first->errand && !errand_is_over(first->errand)) {
        uint64_t others = 0;
        errands_wait(&all->errands);
        for (uint32_t i = 1; i < all->count; i++)
            others += all->batch[i].job->client.answer.executions;
        if (all->subject->progress)
            progress_update(&all->progress, first->job, others);
    }
    if (all->subject->progress)
        progress_clear(&all->progress);
}

static bool came_to_something(const struct batch *batch)
{
    if (!batch->errand)
        return false;
    errand_say(batch->errand);
    if (errand_status(batch->errand) == ERRAND_DIED)
        fprintf(stderr, "heddle: the process that explored some clients died\n");
    return !errand_status(batch->errand);
}

struct job *batches_take(struct batches *all, const struct lessons *known, uint32_t *tag)
{
    struct batch *first = &all->batch[0];
    require(all->count);
    if (known)
        begin_all_again(all, known);
    wait_for_first(all);
    struct job *job = came_to_something(first) ? first->job : NULL;
    if (!job)
        job_free(first->job);
    if (tag)
        *tag = first->tag;
    end_errand(all, first);
    memmove(first, first + 1, --all->count * sizeof *first);
    return job;
}

void batches_drop(struct batches *all)
{
    for (uint32_t i = 0; i < all->count; i++) {
        end_errand(all, &all->batch[i]);
        job_free(all->batch[i].job);
    }
    all->count = 0;
}
