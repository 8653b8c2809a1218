// Messages between ranks: a kind and some blocks of bytes.
#ifndef MPI_MESSAGE_H
#define MPI_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

enum message_kind {
    MESSAGE_UNIT = 1, // explore this
    MESSAGE_STOP,     // bring back what is left of it
    MESSAGE_END,      // there will be no more
    MESSAGE_RESULT,   // what has become of it
    MESSAGE_FAILED,   // it cannot be explored
    MESSAGE_ENDED,    // it ends the search, and more is not known
    MESSAGE_NEED,     // the program is not there
    MESSAGE_PROGRAM   // here it is
};

struct message {
    enum message_kind kind;
    int rank; // whom it comes from
    struct buffer body;
    size_t at; // how much of it was read
};

void message_add(struct message *message, const void *bytes, size_t length);
void message_add_text(struct message *message, const char *text);
void message_add_number(struct message *message, uint64_t number);

// The next block; null, with length 0, if there is none. Good as long as the message.
const char *message_next(struct message *message, size_t *length);
const char *message_next_text(struct message *message);
uint64_t message_next_number(struct message *message);

// Returns how many bytes were sent.
size_t message_send(const struct message *message, int rank);

// Whether one is there from this rank, or from any if it is negative; it is received then.
bool message_poll(struct message *message, int rank);
void message_wait(struct message *message, int rank);
void message_free(struct message *message);

#endif
