// Rank 0: hands out units, and takes back what is left of them.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <mpi.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "base/time.h"
#include "mpi/assignment.h"
#include "mpi/ranks.h"
#include "spread/division.h"
#include "spread/save_file.h"
#include "supervise/keeper.h"

// A unit comes back after so long, so that it can be saved; before this, nobody is asked to stop for others.
static const double slice = 10, least = 0.1; // seconds

struct rank {
    bool busy, asked, gone;
    uint64_t number; // of what it has
    double heard;    // when something came from it
};

struct coordinator {
    struct division division;
    const struct subject *subject;
    const struct job *job;
    struct traffic *traffic;
    struct rank *rank;
    int count;
    uint64_t numbers;
    uint64_t program_hash;
    double saved_at;
};

void traffic_note(struct traffic *traffic, size_t bytes)
{
    traffic->messages++;
    traffic->bytes += bytes;
    if (bytes > traffic->largest)
        traffic->largest = bytes;
}

bool traffic_send(struct traffic *traffic, struct message *message, int rank)
{
    bool sent = message_send(message, rank);
    if (sent)
        traffic_note(traffic, message->body.length);
    message_free(message);
    return sent;
}

// Nothing comes from the rank any more: what it has waits again.
static void lose(struct coordinator *c, int rank)
{
    if (c->traffic->gone[rank])
        return;
    if (c->rank[rank].busy)
        division_give_up(&c->division, rank);
    c->rank[rank].busy = false;
    c->rank[rank].gone = c->traffic->gone[rank] = true;
    c->traffic->lost++;
    fprintf(stderr, "heddle-mpi: nothing was heard of rank %d for %.0f s; others do what it had\n", rank,
            message_patience());
}

static void look_after_ranks(struct coordinator *c)
{
    for (int i = 1; i < c->count; i++)
        if (!c->rank[i].gone && time_now() > c->rank[i].heard + message_patience())
            lose(c, i);
}

static bool hand_out(struct coordinator *c, int rank)
{
    struct saved_search unit;
    struct buffer bytes = {0};
    struct message message = {.kind = MESSAGE_UNIT};
    if (!division_hand_out(&c->division, rank, &unit))
        return false;
    c->rank[rank] = (struct rank){.busy = true, .number = ++c->numbers, .heard = c->rank[rank].heard};
    message_add_number(&message, c->numbers);
    struct task task = c->job->task;
    task.seconds = slice;
    task.slice = 1;
    task.shown = 0;
    assignment_write(&message, c->subject, &task, c->program_hash);
    saved_write(&unit, &bytes);
    message_add(&message, bytes.text, bytes.length);
    if (!traffic_send(c->traffic, &message, rank))
        lose(c, rank);
    buffer_free(&bytes);
    saved_free(&unit);
    return true;
}

static void ask_to_stop(struct coordinator *c, int rank)
{
    struct message message = {.kind = MESSAGE_STOP};
    if (c->rank[rank].asked || !c->rank[rank].busy)
        return;
    c->rank[rank].asked = true;
    message_add_number(&message, c->rank[rank].number);
    if (!traffic_send(c->traffic, &message, rank))
        lose(c, rank);
}

void ranks_send_program(struct traffic *traffic, const struct subject *subject, int rank)
{
    struct message message = {.kind = MESSAGE_PROGRAM};
    struct buffer text = {0};
    FILE *file = fopen(subject->program, "r");
    if (file && buffer_add_file(&text, file))
        message_add(&message, text.text, text.length);
    if (file)
        fclose(file);
    traffic_send(traffic, &message, rank);
    buffer_free(&text);
}

static void take_message(struct coordinator *c, struct message *message)
{
    struct rank *rank = &c->rank[message->rank];
    struct saved_search result;
    size_t length;
    if (rank->gone) // it was taken to be, and somebody else has its unit
        return;
    rank->heard = time_now();
    if (message->kind == MESSAGE_ALIVE)
        return;
    traffic_note(c->traffic, message->body.length);
    if (message->kind == MESSAGE_NEED) {
        ranks_send_program(c->traffic, c->subject, message->rank);
        return;
    }
    rank->busy = false;
    const char *bytes = message->kind == MESSAGE_RESULT ? message_next(message, &length) : NULL;
    if (message->kind == MESSAGE_ENDED) {
        division_end_with(&c->division, message->rank);
    } else if (bytes && saved_read(&result, bytes, length)) {
        c->traffic->units[message->rank]++;
        division_take_back(&c->division, message->rank, &result);
    } else {
        division_give_up(&c->division, message->rank);
        rank->gone = true;
    }
}

static int count_ranks(const struct coordinator *c, bool busy)
{
    int count = 0;
    for (int i = 1; i < c->count; i++)
        count += c->rank[i].busy == busy && (busy || !c->rank[i].gone);
    return count;
}

// Everybody who has nothing gets something, as far as there is something.
static void hand_out_all(struct coordinator *c)
{
    division_divide(&c->division, (size_t)count_ranks(c, false));
    for (int i = 1; i < c->count; i++)
        if (!c->rank[i].busy && !c->rank[i].gone && !hand_out(c, i))
            break;
}

// Somebody who has had a unit for a while brings back what is left, for those who have nothing. What nobody wants is not explored.
static void ask_for_more(struct coordinator *c)
{
    double since;
    int slowest = division_slowest(&c->division, &since);
    bool some_wait = division_count(&c->division, ITEM_WAITS) > 0;
    if (count_ranks(c, false) > 0 && !some_wait && slowest > 0 && time_now() > since + least)
        ask_to_stop(c, slowest);
    for (int i = 1; i < c->count; i++)
        if (c->rank[i].busy && !division_has(&c->division, i))
            ask_to_stop(c, i);
}

static void save_now_and_then(struct coordinator *c, double began)
{
    struct keeper *keeper = c->subject->keeper;
    struct saved_search all;
    if (!keeper || time_now() < c->saved_at + keeper->every)
        return;
    c->saved_at = time_now();
    division_collect(&c->division, &all);
    all.seconds += time_now() - began;
    keeper_write(keeper, &all);
    saved_free(&all);
}

static bool is_over(const struct coordinator *c, double began)
{
    double seconds = c->job->task.seconds;
    return interrupted() || (seconds > 0 && time_now() > began + seconds) || !division_count(&c->division, ITEM_WAITS);
}

void ranks_explore(void *traffic, const struct subject *subject, const struct job *job, struct saved_search *search)
{
    static const struct timespec moment = {.tv_nsec = 500000};
    struct coordinator c = {.subject = subject, .job = job, .traffic = traffic};
    struct message message;
    double began = time_now(), worked = time_worked();
    MPI_Comm_size(MPI_COMM_WORLD, &c.count);
    c.rank = alloc_zeroed((size_t)c.count, sizeof *c.rank);
    if (!c.traffic->gone)
        c.traffic->gone = alloc_zeroed((size_t)c.count, sizeof *c.traffic->gone);
    if (!c.traffic->units)
        c.traffic->units = alloc_zeroed((size_t)c.count, sizeof *c.traffic->units);
    for (int i = 1; i < c.count; i++)
        c.rank[i] = (struct rank){.gone = c.traffic->gone[i], .heard = began};
    save_file_hash(subject->program, &c.program_hash);
    division_open(&c.division, search);
    while (count_ranks(&c, true) || (!is_over(&c, began) && count_ranks(&c, false))) {
        if (message_poll(&message, -1)) {
            take_message(&c, &message);
            message_free(&message);
            continue;
        }
        bool stops = interrupted() || (job->task.seconds > 0 && time_now() > began + job->task.seconds);
        for (int i = 1; i < c.count && stops; i++)
            ask_to_stop(&c, i);
        if (!stops) {
            hand_out_all(&c);
            ask_for_more(&c);
            save_now_and_then(&c, began);
        }
        look_after_ranks(&c);
        nanosleep(&moment, NULL);
    }
    c.traffic->refused += c.division.refused;
    c.traffic->seconds += time_now() - began;
    c.traffic->worked += time_worked() - worked;
    division_collect(&c.division, search);
    division_free(&c.division);
    free(c.rank);
}

void ranks_dismiss(struct traffic *traffic)
{
    int count;
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    for (int i = 1; i < count; i++) {
        struct message message = {.kind = MESSAGE_END};
        message_add_number(&message, traffic->lost);
        if (!traffic->gone || !traffic->gone[i])
            traffic_send(traffic, &message, i);
    }
}
