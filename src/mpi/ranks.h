// A search that the ranks of an MPI job share. Rank 0 runs the command: it hands out units of the search (spread/division.h), finishes
// what is left, and reports. The others explore one unit after the other, each with as many workers as -j says, and bring back what is
// left of it when it is done, when a few seconds are over, or when rank 0 has somebody who has nothing to do.
//
// A rank that is not heard of for a while is taken to be gone: somebody else explores its unit as it was when it was handed out.
//
// A message is a whole unit, or a word to stop. The program is found by its path, as in a folder that all machines share; a rank that
// does not find the same one there is sent it.
#ifndef MPI_RANKS_H
#define MPI_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#include "supervise/run.h"

// What was sent and received, by rank 0.
struct traffic {
    uint64_t messages, bytes, largest, refused;
    uint64_t *units; // that each rank brought back, explored or in part; null if nothing was shared yet
    uint64_t lost;   // ranks from which nothing was heard any more …
    bool *gone;      // … and which: null if nothing was shared yet
    double seconds;  // that others explored, …
    double worked;   // … and of processor time that rank 0 had to do meanwhile
};

// For `fellows` of the command; the context is a struct traffic.
void ranks_explore(void *traffic, const struct subject *subject, const struct job *job, struct saved_search *search);

// The same for searches by states (state_ranks.h): false if nothing came of it, and one process has to search alone.
bool ranks_search_states(void *traffic, const struct subject *subject, struct job *job);

// Sends, and notes it; what was received is noted by itself. And sends the program to a rank that does not have it.
struct message;
void traffic_note(struct traffic *traffic, size_t bytes);
bool traffic_send(struct traffic *traffic, struct message *message, int rank);
void ranks_send_program(struct traffic *traffic, const struct subject *subject, int rank);

// Rank 0 has no more to do for the others.
void ranks_dismiss(struct traffic *traffic);

// What the others do until then. Says how many ranks were lost.
uint64_t ranks_serve(void);

#endif
