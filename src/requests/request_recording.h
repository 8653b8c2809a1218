// A log of requests as a recorded run (trace/recording.h), so that the hunts of predict/ can judge it: clients are threads, resources
// variables, rounds regions that are to be atomic.
//
// Each resource has two locks that stand for what the server refuses, and a write holds both. The *guard* is also held by whoever has
// locked the resource. The *version* is also held by a client from an access to the end of the conditional write that depends on it:
// if somebody else wrote in between, that write would have been refused. (So orders in which it comes to that are not considered,
// although they can begin.) Reads need neither.
//
// Where the log contradicts that (a write by somebody else came in between and was not refused, a lock was granted twice), whoever
// held the lock loses it there: `broken` counts those.
#ifndef REQUESTS_REQUEST_RECORDING_H
#define REQUESTS_REQUEST_RECORDING_H

#include "requests/meaning.h"
#include "trace/recording.h"

struct request_recording {
    struct recording *r;
    uint32_t *effect_of; // by record; NO_EFFECT for none
    size_t room;
    uint32_t broken;
};

void request_recording_make(struct request_recording *q, const struct meaning *m);
void request_recording_free(struct request_recording *q);

#endif
