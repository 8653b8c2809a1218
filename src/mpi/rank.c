// The other ranks: each explores the units that it is given, with workers of its own.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/close_range.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/scratch.h"
#include "mpi/assignment.h"
#include "mpi/fellow.h"
#include "mpi/ranks.h"
#include "spread/save_file.h"
#include "supervise/keeper.h"

static void answer(enum message_kind kind, const struct buffer *body)
{
    struct message message = {.kind = kind};
    if (body)
        message_add(&message, body->text, body->length);
    message_send(&message, COORDINATOR);
    message_free(&message);
}

const char *fellow_find_program(struct fellow *f, const char *path, uint64_t hash)
{
    uint64_t found;
    struct message message;
    size_t length;
    if (save_file_hash(path, &found) && found == hash && !access(path, X_OK))
        return path;
    if (f->program[0] && f->hash == hash)
        return f->program;
    answer(MESSAGE_NEED, NULL);
    do
        message_wait(&message, COORDINATOR);
    while (message.kind != MESSAGE_PROGRAM && (message_free(&message), true));
    const char *bytes = message_next(&message, &length);
    int fd = bytes ? scratch_file(f->program, sizeof f->program) : -1;
    bool good = fd >= 0 && write(fd, bytes, length) == (ssize_t)length && !fchmod(fd, 0700);
    if (fd >= 0)
        close(fd);
    message_free(&message);
    f->hash = good ? hash : 0;
    return good ? f->program : NULL;
}

// Asked while workers run: whether rank 0 wants the unit back.
static bool stops(void *fellow)
{
    struct fellow *f = fellow;
    struct message message;
    message_alive(COORDINATOR);
    while (!f->stopped && message_poll(&message, COORDINATOR)) {
        if (message.kind == MESSAGE_STOP)
            f->stopped = message_next_number(&message) == f->number;
        message_free(&message);
    }
    return f->stopped;
}

// Runs the search of the unit, and answers what has become of it.
static void explore_unit(struct fellow *f, struct subject *subject, const struct task *task, struct keeper *keeper)
{
    struct buffer *result = &f->result;
    struct job *job = job_new();
    f->watch = (struct watch){stops, f};
    keeper->into = result;
    keeper->every = 1e9;
    keeper->resumes = true;
    subject->keeper = keeper;
    subject->watch = &f->watch;
    job->task = *task;
    f->stopped = false;
    close_range(STDERR_FILENO + 1, ~0u, CLOSE_RANGE_CLOEXEC); // programs are to have none of what MPI opens
    int status = run_job(subject, job, -1);
    uint32_t end = job->answer.end;
    struct saved_search search;
    bool good = !status && !run_interrupted() && result->length && saved_read(&search, result->text, result->length);
    if (!good)
        answer(MESSAGE_FAILED, NULL);
    else if (end != JOB_DONE && !job_is_bounded(end) && search.last == NO_UNIT)
        answer(MESSAGE_ENDED, NULL);
    else
        answer(MESSAGE_RESULT, result);
    if (good)
        saved_free(&search);
    buffer_free(result);
    job_free(job);
}

static void take_unit(struct fellow *f, struct message *message)
{
    struct keeper keeper = {.file.lock = -1};
    struct subject subject = {0};
    struct assignment assignment;
    size_t length;
    f->number = message_next_number(message);
    assignment_read(message, &assignment);
    const char *bytes = message_next(message, &length);
    assignment_go_there(&assignment);
    subject.arguments = assignment.arguments;
    subject.program = fellow_find_program(f, assignment.program, assignment.hash);
    if (subject.program && assignment.good && bytes && saved_read(&keeper.search, bytes, length))
        explore_unit(f, &subject, &assignment.task, &keeper);
    else
        answer(MESSAGE_FAILED, NULL);
    keeper_close(&keeper);
    assignment_free(&assignment);
}

// From whomever: what others have said of states that were searched before is of no interest any more.
static void wait_for_any(struct message *message)
{
    static const struct timespec moment = {.tv_nsec = 1000000};
    while (!message_poll(message, -1)) {
        message_alive(COORDINATOR);
        nanosleep(&moment, NULL);
    }
}

// Others may be told of a search earlier.
static void keep_if_early(struct fellow *f, struct message *message)
{
    uint64_t number = message_next_number(message);
    if (number <= f->search)
        return;
    message->at = 0;
    f->early = alloc_grow(f->early, f->early_count, &f->early_room, sizeof *f->early);
    f->early[f->early_count++] = *message;
    message->body = (struct buffer){0};
}

uint64_t ranks_serve(void)
{
    struct fellow fellow = {0};
    struct message message;
    uint64_t lost = 0;
    for (bool goes_on = true; goes_on; message_free(&message)) {
        wait_for_any(&message);
        goes_on = message.kind != MESSAGE_END;
        if (message.kind == MESSAGE_UNIT)
            take_unit(&fellow, &message);
        else if (message.kind == MESSAGE_SEARCH)
            fellow_search_states(&fellow, &message);
        else if (message.kind == MESSAGE_RECORDS || message.kind == MESSAGE_SYNCED)
            keep_if_early(&fellow, &message);
        else if (!goes_on)
            lost = message_next_number(&message);
    }
    return lost;
}
