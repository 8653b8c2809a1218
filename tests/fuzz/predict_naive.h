// The model of src/predict/model.h once more, in the simplest way: every order of the records of a small run is tried.
#ifndef FUZZ_PREDICT_NAIVE_H
#define FUZZ_PREDICT_NAIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/recording.h"

enum { NAIVE_RECORDS = 80, NAIVE_THREADS = 5 };

struct naive_run {
    const struct recording *r;
    uint32_t position[NAIVE_RECORDS];
    bool before[NAIVE_RECORDS][NAIVE_RECORDS]; // edges, not closed
    bool semaphore_locks;                      // the semaphore is used as a lock
};

void naive_make(struct naive_run *n, const struct recording *r);
// Atomic accesses to this variable order nothing.
void naive_make_without(struct naive_run *n, const struct recording *r, uint32_t variable);

// Whether the signal ended the wait that begins there.
bool naive_wakes(const struct naive_run *n, uint32_t signal, uint32_t begin);
// The same, but the signal need not come after the beginning of this wait.
void naive_make_losing(struct naive_run *losing, const struct naive_run *n, uint32_t signal, uint32_t begin);

// The same, but this record needs nothing of other threads.
void naive_make_forgetting(struct naive_run *forgetting, const struct naive_run *n, uint32_t record);

// Whether some run of the model does all of these records, each before the next of its pair.
bool naive_possible(const struct naive_run *n, const uint32_t (*pairs)[2], uint32_t count);

// Whether this is a run of the model: the first `start` records as they were, then the others.
bool naive_is_run(const struct naive_run *n, uint32_t start, const uint32_t *records, uint32_t count);

// Whether some run of the model comes to a point at which each of these records is its thread's next one, and (if `stuck`) none of
// those that take locks can be done, since the locks are held.
bool naive_meets(const struct naive_run *n, const uint32_t *next, uint32_t count, bool stuck);

// Whether two threads can come to these records, which take locks, at the same time, each holding what the other one takes.
bool naive_stuck_pair(const struct naive_run *n, uint32_t a, uint32_t b);

#endif
