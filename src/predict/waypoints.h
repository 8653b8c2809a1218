// From records of a native run to operations of a run under heddle's control (model/waypoint.h).
//
// Threads have the same identities in both: the n-th child of their parent. Code of the program and its global variables have the same
// addresses. A block of the heap has another one; it is known by who allocated it where, as the how many-th: one run under control,
// in the usual order, shows where that is. What operator new allocates is known by its size in place of where. Memory on stacks is not known.
#ifndef PREDICT_WAYPOINTS_H
#define PREDICT_WAYPOINTS_H

#include "model/waypoint.h"
#include "predict/prediction_hunt.h"
#include "supervise/run.h"

struct waypoints {
    const struct hunt *h;
    const struct subject *subject;
    const char *directory;
    struct trace *usual; // the run in the usual order; null: not made yet, or not possible
    char *trouble;       // why it did not come to its end; null: it did, or nothing is known
    bool tried;
};

void waypoints_begin(struct waypoints *w, const struct hunt *h, const struct subject *subject);
void waypoints_end(struct waypoints *w);

// A job for the program of the recording, with its threads.
struct job *waypoints_job(const struct waypoints *w);

// The operation that a record is. Null, or why it cannot be told, in words (a constant).
const char *waypoints_find(struct waypoints *w, uint32_t record, struct waypoint *point);

// Whether the run under control in the usual order comes to the place of this operation, by the same thread.
bool waypoints_is_usual(struct waypoints *w, const struct waypoint *point);

// The first and the last operation that the thread does between two positions (the last of them may be beyond its end), where plain
// accesses count only to the prediction's variables. False: there is none.
bool waypoints_within(const struct hunt *h, const struct prediction *p, uint32_t thread, uint32_t from, uint32_t to,
                      uint32_t ends[2]);

// For a record that is no operation of its own, such as a release of memory: the last one before it in its thread that is.
uint32_t waypoints_visible(const struct hunt *h, uint32_t record);

#endif
