// Exploring clients of an object, one batch after the other, until one fails.
//
// Clients go to workers in batches: first those within the bounds, with few executions each; then those beyond the
// bounds (grow.h); then those that were put off, to their end.
#ifndef SUPERVISE_HUNT_H
#define SUPERVISE_HUNT_H

#include "supervise/batches.h"
#include "supervise/lin_object.h"

struct hunt {
    struct lin *lin;
    struct inventor clients;
    double until; // 0: never
    struct client failing;
    bool failed;          // not only by a race
    struct client racing; // the first client with a race
    bool raced;
    bool in_order;                       // clients come smallest first, and each is explored to its end
    const struct client *given, *around; // given: the only one, or null
    struct client *put_off;              // within the bounds, and to be explored to their end later
    uint64_t put_off_count, put_off_room, put_off_begun, put_off_done;
    bool sampling;          // random clients are explored, beyond the bounds
    uint64_t random;        // … so many more
    struct batches *beside; // null: one worker
    struct job *held;       // a batch that was made and not begun
};

// Executions that a client is given at first, where bounds grow: one that has more of them must not keep all others waiting.
enum { HUNT_EXECUTIONS = 4000 };

// Whether there is time, which the job is told of.
bool hunt_time_left(const struct hunt *h, struct job *job);

// Explores the clients of the job. False if it could not be run at all.
bool hunt_explore(struct hunt *h, struct job *job);

// Counts what a job came to that was explored, and keeps what it found.
void hunt_keep(struct hunt *h, struct job *job);

// One client; or all within the bounds, those beyond for as long as lin->grow_seconds says, and random ones. False if the program
// could not be run at all.
bool hunt_one(struct hunt *h, const struct client *client);
bool hunt_by_workers(struct hunt *h);
void hunt_free(struct hunt *h);

#endif
