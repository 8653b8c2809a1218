// Which signal ended which wait on a condition variable.
//
// A recording does not say. A wait that ends, and not because its time was over, takes the earliest signal of its condition that came
// after its beginning and that no other wait has taken; a broadcast can be taken by many.
#ifndef PREDICT_WAKES_H
#define PREDICT_WAKES_H

#include "trace/recording.h"

struct wake {
    uint32_t begin, end, by; // records
    uint32_t next;           // another wait that `by` ended
};

struct wakes {
    struct wake *wakes; // in the order of their ends
    uint32_t count;
    size_t room;
    struct table by_signal; // number in `first`
    uint32_t *first;        // for each signal: the newest wait that it ended
    size_t first_room;
};

void wakes_make(struct wakes *w, const struct recording *r);
void wakes_free(struct wakes *w);

// The waits that a signal ended, one after the other, by their numbers; NOT_RECORDED ends the list.
uint32_t wakes_first(const struct wakes *w, uint32_t signal);
uint32_t wakes_next(const struct wakes *w, uint32_t wake);
uint32_t wakes_begin(const struct wakes *w, uint32_t wake);

// The signal that ended the wait whose end is this record; NOT_RECORDED: none.
uint32_t wakes_by(const struct wakes *w, uint32_t end);

#endif
