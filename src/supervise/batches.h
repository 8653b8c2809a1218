// Batches of clients that workers explore beside each other, and that come back in the order in which they were given.
//
// What a run teaches about the program holds for later ones, and decides how many executions these have. So a batch counts only if
// all that was known before its turn was known when it began; otherwise it is explored again. Then each batch does what it would do if
// there were one worker, and so does the hunt.
#ifndef SUPERVISE_BATCHES_H
#define SUPERVISE_BATCHES_H

#include "report/progress.h"
#include "spread/ledger.h"
#include "supervise/errand.h"
#include "supervise/run.h"

struct batch {
    struct job *job;
    uint32_t tag;          // of whoever gave it
    struct lessons began;  // what was known when it began
    struct errand *errand; // null: there was no process for it
};

struct batches {
    const struct subject *subject;
    uint32_t workers;
    struct errands errands;
    struct batch batch[WORKERS]; // from the next one to come back
    uint32_t count;
    struct progress progress;
};

// 0, or 2 after one sentence.
int batches_open(struct batches *all, const struct subject *subject, uint32_t workers);
void batches_close(struct batches *all);

// Whether a worker has nothing to do. And gives it a job, which belongs to `all` until it comes back.
bool batches_want(const struct batches *all);
void batches_give(struct batches *all, struct job *job, uint32_t tag);

// Waits for the next one. `known`: what is known by now; null if what was known at its beginning will do. Null after one sentence
// if it could not be run at all; otherwise its job, which belongs to the caller. *tag may be null.
struct job *batches_take(struct batches *all, const struct lessons *known, uint32_t *tag);

// Forgets all that have not come back.
void batches_drop(struct batches *all);

#endif
