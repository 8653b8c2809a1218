// The other ranks: each explores the units that it is given, with workers of its own.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/close_range.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/scratch.h"
#include "mpi/message.h"
#include "mpi/ranks.h"
#include "spread/save_file.h"
#include "supervise/keeper.h"

enum { COORDINATOR = 0 };

struct fellow {
    uint64_t number;    // of the unit at hand
    bool stopped;       // rank 0 wants it back
    char program[4096]; // that was sent; empty: none was …
    uint64_t hash;      // … and which that is
    struct watch watch;
    struct buffer result; // what has become of the unit
};

static void answer(enum message_kind kind, const struct buffer *body)
{
    struct message message = {.kind = kind};
    if (body)
        message_add(&message, body->text, body->length);
    message_send(&message, COORDINATOR);
    message_free(&message);
}

// The program at this path if it is the same here, or a copy of what rank 0 has; null if there is none.
static const char *find_program(struct fellow *f, const char *path, uint64_t hash)
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
    size_t length, task_length;
    f->number = message_next_number(message);
    const struct task *sent = (const struct task *)(const void *)message_next(message, &task_length);
    struct task task = {0};
    if (sent && task_length == sizeof task)
        memcpy(&task, sent, sizeof task);
    const char *where = message_next_text(message), *path = message_next_text(message);
    uint64_t hash = message_next_number(message), arguments = message_next_number(message);
    char **argument = alloc_zeroed(arguments + 1, sizeof *argument);
    for (uint64_t i = 0; i < arguments; i++)
        argument[i] = (char *)(uintptr_t)message_next_text(message);
    const char *bytes = message_next(message, &length);
    if (chdir(where))
        fprintf(stderr, "heddle-mpi: there is no %s here; the program runs elsewhere\n", where);
    subject.arguments = argument;
    subject.program = find_program(f, path, hash);
    if (subject.program && task_length == sizeof task && bytes && saved_read(&keeper.search, bytes, length))
        explore_unit(f, &subject, &task, &keeper);
    else
        answer(MESSAGE_FAILED, NULL);
    keeper_close(&keeper);
    free(argument);
}

uint64_t ranks_serve(void)
{
    struct fellow fellow = {0};
    struct message message;
    uint64_t lost = 0;
    for (bool goes_on = true; goes_on; message_free(&message)) {
        message_wait(&message, COORDINATOR);
        goes_on = message.kind != MESSAGE_END;
        if (message.kind == MESSAGE_UNIT)
            take_unit(&fellow, &message);
        else if (!goes_on)
            lost = message_next_number(&message);
    }
    return lost;
}
