#include "mpi/message.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
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

size_t message_send(const struct message *m, int rank)
{
    MPI_Send(m->body.text ? m->body.text : "", (int)m->body.length, MPI_BYTE, rank, (int)m->kind, MPI_COMM_WORLD);
    return m->body.length;
}

static void receive(struct message *m, MPI_Status *status)
{
    int length = 0;
    MPI_Get_count(status, MPI_BYTE, &length);
    char *bytes = alloc_array((size_t)length + 1, 1);
    MPI_Recv(bytes, length, MPI_BYTE, status->MPI_SOURCE, status->MPI_TAG, MPI_COMM_WORLD, status);
    *m = (struct message){.kind = (enum message_kind)status->MPI_TAG, .rank = status->MPI_SOURCE};
    buffer_append(&m->body, bytes, (size_t)length);
    free(bytes);
}

bool message_poll(struct message *m, int rank)
{
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(rank < 0 ? MPI_ANY_SOURCE : rank, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    if (there)
        receive(m, &status);
    return there;
}

// MPI_Probe may keep a processor busy.
void message_wait(struct message *m, int rank)
{
    static const struct timespec moment = {.tv_nsec = 1000000};
    while (!message_poll(m, rank))
        nanosleep(&moment, NULL);
}

void message_free(struct message *m)
{
    buffer_free(&m->body);
}
