// Data races on plain memory, by the happens-before relation that synchronisation as written gives (memory orders
// included), with the epochs of FastTrack (Flanagan and Freund, PLDI 2009). Exact per byte: a race is reported on a
// variable if and only if some two accesses to it in this execution are unordered.
//
// A thread's *time* grows whenever it releases something; (thread, time) is an epoch. Knowledge is a clock in a pool;
// a thread's own lane is in `time`, not in its clock.
//
// The search uses another happens-before relation (model/exec.h), and has to. The search orders any two dependent
// events, whatever their memory orders: swapping two relaxed accesses to one atomic changes what is read. A data race
// is judged by synchronisation as written: a relaxed store that another thread reads orders nothing, a release sequence
// or a fence may. With one relation for both, message passing by relaxed accesses would hide its races, or some of its
// interleavings would be lost.
//
// For each word of memory the shadow cell has the epochs of the last write and the last read, a set of readers if there
// are several, and parts if bytes are accessed separately. While every thread that was created has been joined, nothing
// can race.
#ifndef CHECK_RACE_H
#define CHECK_RACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/paths.h"
#include "base/undo.h"
#include "check/shadow.h"
#include "model/clock.h"

// What one thread knows of the others.
struct know {
    clock_id clock;
    clock_id own; // the clock, if nobody else has it and it is from this step: then it may be changed in place
    uint32_t time;
    uint32_t actor;
    uint32_t epoch;       // actor and time in one word
    clock_id seen;        // what relaxed loads have read: an acquire fence turns it into knowledge
    clock_id fence_clock; // what a relaxed store releases: the state at the last release fence
    uint32_t fence_time;
    uint32_t used; // it has accessed something at this time: releasing it tells others something
};

// What an object passes on to whoever acquires it.
struct release {
    clock_id clock;
    uint32_t time; // the releasing thread's lane on top of `clock`; 0: the clock says it all
    uint32_t actor;
    uint32_t unused;
};

enum { PART_ROW = 1u << 31 }; // in part.read: the rest numbers a set of readers

enum { EPOCH_SHIFT = 24, TIME_LIMIT = (1 << EPOCH_SHIFT) - 1, READER_WIDTH = 256 };

struct race_detector {
    struct shadow shadow;
    struct clock_pool clocks;
    struct undo *undo;
    const struct cell *kept; // in this step already; the target forgets it with each step
    uint32_t *readers;       // sets of readers: rows of `width` times, one lane per actor
    uint32_t reader_rows;
    struct part {
        uint32_t write, read;
    } (*parts)[8]; // words whose bytes were accessed separately
    uint32_t part_rows;
    uint32_t rivals[8]; // of the last race found: whom each racing byte of the word races with
    struct origin {
        clock_id clock;   // with which a thread began …
        uint32_t creator; // … by whom
    } origins[READER_WIDTH];
};

void race_init(struct race_detector *d, struct undo *undo);

// Whether what lies at this address is the detector's own, and tells only how the present state came about.
bool race_holds(const struct race_detector *d, uint64_t address);

static inline void know_tick(struct know *k)
{
    require_room(k->time < TIME_LIMIT, "synchronisations of one thread in one execution (16777215)");
    k->time++;
    k->epoch = k->actor << EPOCH_SHIFT | k->time;
    k->used = 0;
}

// A new thread knows what its creator knew. `time` is 0, or that of the thread whose place it takes.
void know_begin(struct race_detector *d, struct know *child, uint32_t actor, struct know *creator, uint32_t time);

// `k` comes to know all that `other` knows, which has ended.
void know_join(struct race_detector *d, struct know *k, const struct know *other);

// `k` comes to know what `clock` knows, and `actor` up to `time`.
void know_learn(struct race_detector *d, struct know *k, clock_id clock, uint32_t actor, uint32_t time);

static inline void know_acquire(struct race_detector *d, struct know *k, const struct release *from)
{
    if (from->time) { // all that thread knew then came with its time, so knowing the time is knowing it all
        if (from->actor != k->actor && clock_lane(&d->clocks, k->clock, from->actor) < from->time)
            know_learn(d, k, from->clock, from->actor, from->time);
    } else if (from->clock) {
        know_learn(d, k, from->clock, 0, 0);
    }
}

static inline void know_release(struct race_detector *d, struct know *k, struct release *to)
{
    (void)d;
    *to = (struct release){k->clock, k->time, k->actor, 0};
    k->own = 0;
    know_tick(k);
}

// A read-modify-write that releases: passes on what was there before as well.
void know_release_more(struct race_detector *d, struct know *k, struct release *to);

// Atomic accesses with memory orders (C11 numbers), and fences. know_rmw says whether the object passes on more than
// before; if not, nobody who reads it can tell whether this came first. A relaxed store continues a release sequence that
// its own thread heads, as C11 has it (C++20 no longer), unless somebody else's release was added to it since: what was whose
// is not known then.
void know_load(struct race_detector *d, struct know *k, struct release *object, int order);
void know_store(struct race_detector *d, struct know *k, struct release *object, int order);
bool know_rmw(struct race_detector *d, struct know *k, struct release *object, int order);
void know_fence(struct race_detector *d, struct know *k, int order);

static inline bool know_before(const struct race_detector *d, const struct know *k, uint32_t epoch)
{
    uint32_t actor = epoch >> EPOCH_SHIFT;
    return actor == k->actor || clock_lane(&d->clocks, k->clock, actor) >= (epoch & TIME_LIMIT);
}

// Keeps a cell before it changes, once in a step if there is no other in between.
static IN_PLACE void race_keep(struct race_detector *d, struct cell *cell)
{
    if (cell == d->kept)
        return;
    d->kept = cell;
    undo_save(d->undo, cell, sizeof *cell);
}

// Whether an epoch is known to the thread whose own epoch and lanes these are. None is epoch 0, which everybody knows.
static IN_PLACE bool lanes_before(const uint32_t *known, uint32_t epoch, uint32_t own)
{
    return known[epoch >> EPOCH_SHIFT] >= (epoch & TIME_LIMIT) || !((epoch ^ own) >> EPOCH_SHIFT);
}

// The common case of a plain access: nothing is special about the cell, the access races with nothing, and its epoch is the only
// one to remember. False: the caller has to look closer, and nothing has changed. With `leave` false it is not recorded.
static IN_PLACE bool race_simple(struct race_detector *d, struct know *k, struct cell *cell, uint8_t mask, bool write,
                                 bool leave)
{
    uint64_t special; // `object`, `mask` and `state` in one word
    __builtin_memcpy(&special, &cell->object, sizeof special);
    if (special != (uint64_t)mask << 32 && special)
        return false;
    const uint32_t epoch = k->epoch, last_write = cell->write, last_read = cell->read;
    if (last_write == epoch && (!write || !last_read))
        return true;
    if (!write && last_read == epoch)
        return true;
    if ((last_write ^ epoch) >> EPOCH_SHIFT || (last_read ^ epoch) >> EPOCH_SHIFT) { // others were here, or nobody
        const uint32_t *known = clock_lanes(&d->clocks, k->clock);
        if (!lanes_before(known, last_write, epoch) || !lanes_before(known, last_read, epoch))
            return false;
    }
    k->used = 1;
    if (!leave)
        return true;
    race_keep(d, cell);
    if (!special) // storing it again would hold up whoever loads the whole word next
        cell->mask = mask;
    if (write)
        cell->write = epoch;
    cell->read = write ? 0 : epoch;
    return true;
}

enum { NO_RACE = UINT32_MAX };

// A plain access to `mask`ed bytes of one word. Returns those of them that race; `rivals` says with whom.
uint8_t race_read(struct race_detector *d, struct know *k, struct cell *cell, uint8_t mask);
uint8_t race_write(struct race_detector *d, struct know *k, struct cell *cell, uint8_t mask);

// An access that is not recorded itself: an atomic access, which is checked against plain ones only; or an access of the only
// thread there is, since later threads are created by it and know of it.
uint8_t race_passing(struct race_detector *d, const struct know *k, struct cell *cell, uint8_t mask, bool write);

#endif
