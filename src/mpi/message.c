#include "mpi/message.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/time.h"
#include "spread/saved_search.h"

void message_add(struct message *m, const void *bytes, size_t length)
{
    saved_write_block(&m->body, bytes, length);
}

void message_add_text(struct message *m, const char *text)
{
    message_add(m, text, strlen(text) + 1);
}

void message_add_number(struct message *m, uint64_t number)
{
    message_add(m, &number, sizeof number);
}

const char *message_next(struct message *m, size_t *length)
{
    uint64_t size = 0;
    *length = 0;
    if (m->body.length - m->at < sizeof size)
        return NULL;
    memcpy(&size, m->body.text + m->at, sizeof size);
    if (size > m->body.length - m->at - sizeof size)
        return NULL;
    const char *block = m->body.text + m->at + sizeof size;
    m->at += sizeof size + size;
    *length = size;
    return block;
}

const char *message_next_text(struct message *m)
{
    size_t length;
    const char *text = message_next(m, &length);
    return text && length && !text[length - 1] ? text : "";
}

uint64_t message_next_number(struct message *m)
{
    size_t length;
    uint64_t number = 0;
    const char *block = message_next(m, &length);
    if (block && length == sizeof number)
        memcpy(&number, block, sizeof number);
    return number;
}

void messages_survive(void)
{
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
}

double message_patience(void)
{
    const char *other = getenv("HEDDLE_PATIENCE");
    double seconds = other ? strtod(other, NULL) : 0;
    return seconds > 0 ? seconds : RANK_PATIENCE;
}

bool message_send(const struct message *m, int rank)
{
    static const struct timespec moment = {.tv_nsec = 100000};
    const double began = time_now();
    MPI_Request request;
    int done = 0;
    if (MPI_Isend(m->body.text ? m->body.text : "", (int)m->body.length, MPI_BYTE, rank, (int)m->kind, MPI_COMM_WORLD,
                  &request) != MPI_SUCCESS)
        return false;
    while (!done && time_now() < began + message_patience()) {
        if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return false;
        if (!done)
            nanosleep(&moment, NULL);
    }
    if (!done)
        MPI_Cancel(&request);
    return done;
}

// ---- without waiting ----

static struct posted {
    MPI_Request request;
    struct buffer body;
} * posted;
static size_t posted_count, posted_room;

bool messages_arrived(void)
{
    for (size_t i = 0; i < posted_count;) {
        int done = 0;
        if (MPI_Test(&posted[i].request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done) {
            i++;
            continue;
        }
        buffer_free(&posted[i].body);
        posted[i] = posted[--posted_count];
    }
    return !posted_count;
}

void message_post(struct message *m, int rank)
{
    messages_arrived();
    posted = alloc_grow(posted, posted_count, &posted_room, sizeof *posted);
    struct posted *p = &posted[posted_count];
    p->body = m->body;
    m->body = (struct buffer){0};
    if (MPI_Isend(p->body.text ? p->body.text : "", (int)p->body.length, MPI_BYTE, rank, (int)m->kind, MPI_COMM_WORLD,
                  &p->request) == MPI_SUCCESS)
        posted_count++;
    else
        buffer_free(&p->body);
}

void message_alive(int to)
{
    static double last;
    const double often = message_patience() / 10;
    struct message message = {.kind = MESSAGE_ALIVE};
    if (time_now() < last + often)
        return;
    last = time_now();
    message_send(&message, to);
}

// False if the rest of a long message does not come, since whoever sent it has died: MPI_Recv would wait for it for ever. MPI may still
// write to where it was to go, so that is not given back. Meanwhile the coordinator hears that this rank lives.
static bool receive(struct message *m, const MPI_Status *announced)
{
    int length = 0, done = 0, self = COORDINATOR;
    MPI_Request request;
    MPI_Comm_rank(MPI_COMM_WORLD, &self);
    MPI_Get_count(announced, MPI_BYTE, &length);
    char *bytes = alloc_array((size_t)length + 1, 1);
    const double until = time_now() + message_patience();
    int result =
        MPI_Irecv(bytes, length, MPI_BYTE, announced->MPI_SOURCE, announced->MPI_TAG, MPI_COMM_WORLD, &request);
    while (result == MPI_SUCCESS && !done && time_now() < until) {
        result = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done && self != COORDINATOR)
            message_alive(COORDINATOR);
    }
    if (!done)
        return false;
    *m = (struct message){.kind = (enum message_kind)announced->MPI_TAG, .rank = announced->MPI_SOURCE};
    buffer_append(&m->body, bytes, (size_t)length);
    free(bytes);
    return true;
}

bool message_poll(struct message *m, int rank)
{
    int there = 0;
    MPI_Status status;
    if (MPI_Iprobe(rank < 0 ? MPI_ANY_SOURCE : rank, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS)
        return false;
    return there && receive(m, &status);
}

// MPI_Probe may keep a processor busy.
void message_wait(struct message *m, int rank)
{
    static const struct timespec moment = {.tv_nsec = 1000000};
    while (!message_poll(m, rank)) {
        message_alive(rank);
        nanosleep(&moment, NULL);
    }
}

static void drop_all(void)
{
    struct message message;
    while (message_poll(&message, -1))
        message_free(&message);
}

void messages_drop(void)
{
    static const struct timespec moment = {.tv_nsec = 100000};
    const double until = time_now() + message_patience();
    MPI_Request everybody;
    int done = 0;
    if (MPI_Ibarrier(MPI_COMM_WORLD, &everybody) != MPI_SUCCESS)
        return;
    while (!done && time_now() < until) {
        drop_all();
        messages_arrived();
        if (MPI_Test(&everybody, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return;
        nanosleep(&moment, NULL);
    }
    drop_all();
}

void message_free(struct message *m)
{
    buffer_free(&m->body);
}
