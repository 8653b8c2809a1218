// The ledger of a search that several workers share: which parts it was divided into, who explores which, and what came of it. It is
// in memory that the workers and their supervisor share.
//
// A unit is a part of the search (explore/search_part.h); unit 0 is what the first worker begins with. A worker that has nothing to do
// waits, and another one gives away a part. Units are ordered as one worker alone would come to them: a unit comes before all that it
// has given away, and what it gave away later comes before what it gave away earlier.
//
// Where the end of one unit ends the search (a bug, a lesson), what comes before it is finished, and what comes after it is
// dropped. So what is found first, and how many executions came before, do not depend on how many workers there are.
#ifndef SPREAD_LEDGER_H
#define SPREAD_LEDGER_H

#include <stdbool.h>
#include <stddef.h>

#include "explore/search_part.h"
#include "job/answer.h"

enum { UNITS = 1 << 20, WORKERS = 64, NO_UNIT = UINT32_MAX };

enum unit_state {
    UNIT_WAITS,
    UNIT_RUNS,
    UNIT_DONE,
    UNIT_LEFT,   // unfinished: a bound was reached
    UNIT_LAST,   // the search ends with it, unless it ends with an earlier one
    UNIT_DROPPED // comes after that
};

struct unit {
    uint32_t next;  // the one that comes after it, or NO_UNIT …
    uint64_t label; // … with a larger label
    uint32_t state;
    uint32_t worker;      // who has it, or had it
    uint32_t slot;        // where its part stands while it waits
    struct counts before; // what its worker had counted when it began
    struct counts counts; // its own, once it is no longer explored
};

// How much one worker has done of what it has, by its estimate.
struct prospect {
    double done;               // executions
    double total, least, most; // as struct estimate has them; 0 if they are not known
};

struct ledger {
    volatile uint32_t lock;             // shared_lock
    volatile uint32_t changes;          // counts what those who wait should look at
    uint32_t workers, limit;            // how many there are; the most events of an execution
    volatile uint32_t idle;             // workers that wait for a unit
    volatile uint32_t waiting, running; // units
    volatile uint32_t last;             // the unit that ends the search, or NO_UNIT
    volatile bool at_once;              // … and nothing else has to be finished
    volatile uint64_t executions;       // begun by all workers; counted only where they are bounded
    struct prospect prospect[WORKERS];
    struct identities identities;
    bool slot_used[WORKERS];
    uint32_t units;
    struct unit unit[UNITS];
    // Behind it: for each slot a part.
};

size_t ledger_size(uint32_t workers, uint32_t limit);

// Begins with unit 0, which worker 0 runs.
void ledger_open(struct ledger *ledger, uint32_t workers, uint32_t limit);

// Whether somebody waits for whom there is nothing yet. Asked after every execution.
static inline bool ledger_is_asked(const struct ledger *ledger)
{
    return ledger->idle > ledger->waiting && ledger->last == NO_UNIT;
}

// Whether the unit comes after the one that ends the search, so that nobody needs it.
bool ledger_drops(struct ledger *ledger, uint32_t unit);

// Lets the strategy of a worker that explores `unit` give a part away. False if it has none, or there is no room for more.
bool ledger_give(struct ledger *ledger, uint32_t unit, struct strategy *strategy);

// Takes the first unit that waits, for a worker that is counted in `idle`, and no longer is then. `counts`: what the worker has counted so far. NO_UNIT if none waits. The part stays until
// ledger_begun.
uint32_t ledger_take(struct ledger *ledger, uint32_t worker, const struct counts *counts, struct search_part *part);
void ledger_begun(struct ledger *ledger, uint32_t unit);

// The unit is no longer explored: it is done, ends the search, was dropped, or was left as it is. What its worker has
// counted by then is in `counts`.
void ledger_leave(struct ledger *ledger, uint32_t unit, enum unit_state state, const struct counts *counts);

// The search ends with this unit, and nothing else has to be finished.
void ledger_stop(struct ledger *ledger, uint32_t unit);

// Whether there is nothing to do any more, and there never will be.
bool ledger_is_over(struct ledger *ledger);

// Waits until something changes, but not for long.
void ledger_wait(struct ledger *ledger);

// How much of the search is done, by what the workers say of theirs.
struct share ledger_share(const struct ledger *ledger);

// A process has died, perhaps in the middle of all this.
void ledger_bury(struct ledger *ledger, uint32_t process);

// Whether one unit comes before another.
bool ledger_is_before(const struct ledger *ledger, uint32_t unit, uint32_t other);

// The executions that count: of all units up to the one that ends the search, or of all that were begun. And those before a unit.
struct counts ledger_counts(const struct ledger *ledger);
uint64_t ledger_executions_before(const struct ledger *ledger, uint32_t unit);

#endif
