// What had to happen before what in a recorded run, whatever the scheduler does: the model of seed 003 (section "partial order
// thread model"), completed.
//
// - A thread's own records keep their order.
// - A creation comes before the new thread's first record; a thread's last record before its join.
// - A wait that a signal ended begins before that signal and ends after it. The seed has the second half only, and then a signal
//   may come before the wait that it ends, which is lost in a real run. A wait for which no signal is left was woken
//   spuriously: it is ordered with nobody.
// - All who enter a barrier do so before any of them leaves it, by generation.
// - The k-th token that is taken from a semaphore was there at the beginning, or is that of the k-th post less those.
// - Whoever passes a once control does so after its routine has ended.
// - An atomic read that acquires comes after the write that it saw, if that one (or a read-modify-write in the release sequence behind
//   it) releases.
// - Nothing follows from mutexes, readers–writer locks and semaphores that are used as locks (semaphore_locks.h): their sections exclude each other (sections.h), in either order.
//
// What is kept is one clock for each stretch of a thread in which it learns nothing from others. Time: linear in records, plus the number
// of threads for each edge.
#ifndef PREDICT_ORDER_H
#define PREDICT_ORDER_H

#include "predict/wakes.h"
#include "trace/recording.h"

// A thread's records up to some number have one clock: how many records of each thread came before the last of them at least.
struct order_line {
    uint32_t *from;   // the first record (counted from 1 in the thread) of each stretch, ascending
    uint32_t *clocks; // `threads` numbers for each stretch
    uint32_t count;
    size_t from_room, clock_room;
};

struct order {
    const struct recording *r;
    uint32_t threads;
    uint32_t *position;       // for each record: how many of its thread came before it
    struct order_line *lines; // by thread
    uint32_t *creation;       // by thread: the record; NOT_RECORDED: nobody creates it
};

void order_make(struct order *o, const struct recording *r);
// The same, but accesses to this atomic variable order nothing: what threads read there in another order is something else.
void order_make_without(struct order *o, const struct recording *r, uint32_t variable);
void order_free(struct order *o);

// What a thread learns by one record, while it is left out. Zero: nothing is.
struct order_forgotten {
    uint32_t thread, stretch;
    uint32_t *clock;
};

// From here on the record needs nothing of other threads. What comes before it in any order does not depend on that, but what its thread
// does later may still need it.
void order_forget(struct order *o, uint32_t record, struct order_forgotten *f);
// The same for a signal, which need not come after the wait that it ended (number `wake`); of others that it ended it still does.
void order_forget_wake(struct order *o, const struct wakes *w, uint32_t wake, struct order_forgotten *f);
void order_recall(struct order *o, struct order_forgotten *f);

// How many records of `other` must have happened once `thread` has done its first `done`.
uint32_t order_needs(const struct order *o, uint32_t thread, uint32_t done, uint32_t other);

// Up to how many records the thread needs nothing of others that it did not need for its first `done`.
uint32_t order_unchanged(const struct order *o, uint32_t thread, uint32_t done);

// Whether record `a` comes before record `b` in every run of the model.
bool order_before(const struct order *o, uint32_t a, uint32_t b);

#endif
