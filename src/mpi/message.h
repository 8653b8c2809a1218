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
    MESSAGE_PROGRAM,  // here it is
    MESSAGE_ALIVE,    // whoever sends it is there
    // Of searches by states (mpi/state_ranks.h); each has the number of the search.
    MESSAGE_SEARCH,  // search these states with others
    MESSAGE_RECORDS, // what is said of states
    MESSAGE_SYNC,    // send all that was said so far, …
    MESSAGE_SYNCED,  // … that was all, …
    MESSAGE_OVER,    // … and everybody agrees: the search is over
    MESSAGE_STATES   // what has become of a search
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

// False if it was not taken for so long that the rank must be gone.
bool message_send(const struct message *message, int rank);

// Sends without waiting: the message is gone for whoever sends it. Whether all of these have arrived, as far as is known by now.
void message_post(struct message *message, int rank);
bool messages_arrived(void);

// What is sent to a rank that is gone fails, and does not end the job, as far as MPI can help it. At the beginning.
void messages_survive(void);

// A rank says that it is there, unless it has done so a moment ago.
void message_alive(int to);

enum { COORDINATOR = 0 };    // the rank that divides the search
enum { RANK_PATIENCE = 20 }; // seconds of silence after which a rank counts as gone; HEDDLE_PATIENCE has another number
double message_patience(void);

// Whether one is there from this rank, or from any if it is negative; it is received then.
bool message_poll(struct message *message, int rank);
void message_wait(struct message *message, int rank);
void message_free(struct message *message);

// At the end, by all ranks, when nobody sends any more: takes in what nobody waits for, such as the last word that a rank is there. Libraries
// of MPI complain of what is left, some of them on standard output.
void messages_drop(void);

#endif
