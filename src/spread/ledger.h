// The ledger of a search that workers divide among them: which parts it was divided into, who explores which, and what came of it. It
// is in memory that the workers and their supervisor share.
//
// A unit is a part of the search (explore/search_part.h); unit 0 is what the first worker begins with. A worker that has nothing to do
// waits, and another one gives away a part. Units are ordered as one worker alone would come to them: a unit comes before all that it
// has given away, and what it gave away later comes before what it gave away earlier.
//
// Where the end of one unit ends the search (a bug, a lesson), what comes before it is finished, and what comes after it is
// dropped. So what is found first, and how many executions came before, do not depend on how many workers there are.
//
// Nothing is lost with a worker that is killed. The ledger has for each unit what was still to be explored of it when its worker last
// told, with the counts up to then, and what the worker had found by then. A worker tells at every change of the ledger that it makes,
// in the same moment; and now and then when it is asked to. So whenever one looks, all units together are the whole search: what is
// done is counted once, and what is not done is in exactly one of them. What a dead worker did after it last told is done again.
//
// Each change is written down as a whole (struct deed) before it is made. If a worker dies in the middle of one, the supervisor makes
// it again from what was written down; to make one twice is the same as to make it once.
#ifndef SPREAD_LEDGER_H
#define SPREAD_LEDGER_H

#include <stdbool.h>
#include <stddef.h>

#include "explore/search_part.h"
#include "job/job.h"

enum { UNITS = 1 << 20, WORKERS = 64, SLOTS = 1024, NO_UNIT = UINT32_MAX };

// The most bytes that what is left of a unit may have. A larger one is not told: it is divided no further, and if its worker is
// killed, more has to be done again.
enum { SLOT_BYTES = 1 << 26 };

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
    uint32_t slot;        // where the part stands that is left of it
    struct counts counts; // of what was explored of it, by what its worker last told …
    struct counts kept;   // … and when what is left of it was told
    struct counts base;   // the same when its worker took it …
    struct counts before; // … and what the worker had counted by then
    double began, ended;  // when its worker took it, and when it left it
};

// What a worker had found when it last told. Of the bugs, as many as there were; their schedules stand in its job and stay there.
struct told {
    uint32_t steps_used;
    struct answer answer;
};

// A change of the ledger.
struct deed {
    volatile uint32_t under_way;
    uint32_t worker;
    uint32_t unit;
    uint32_t state;             // that the unit comes to
    uint32_t slot;              // that it has then
    uint32_t told;              // which of the worker's two is valid then
    uint32_t new;               // a unit that is given away, or NO_UNIT …
    uint32_t new_slot;          // … and what it is
    struct counts counts, kept; // of the unit
};

// How much one worker has done of what it has, by its estimate.
struct prospect {
    double done;               // executions
    double total, least, most; // as struct estimate has them; 0 if they are not known
};

struct ledger {
    volatile uint32_t lock;             // shared_lock
    volatile uint32_t changes;          // counts what those who wait should look at
    uint32_t workers, limit, slots;     // how many there are; the most events of an execution
    volatile uint32_t idle;             // workers that wait for a unit
    volatile uint32_t waiting, running; // units
    volatile uint32_t last;             // the unit that ends the search, or NO_UNIT
    volatile bool at_once;              // … and nothing else has to be finished
    volatile uint32_t wish;             // grows when everybody is to tell
    volatile uint64_t executions;       // begun by all workers; counted only where they are bounded
    double gone;                        // executions of those who are no longer there
    struct prospect prospect[WORKERS];
    struct identities identities;
    struct deed deed;
    volatile uint8_t is_idle[WORKERS];
    volatile uint32_t charged[WORKERS]; // executions of each that are among those and were not told of
    volatile uint32_t valid[WORKERS];   // which of the two below is
    struct told told[WORKERS][2];
    volatile uint8_t holder[SLOTS]; // who has each slot
    uint32_t waits[SLOTS];          // the units that wait: the first `waiting`
    volatile uint32_t units;
    struct unit unit[UNITS];
    // Behind it: the slots, each with room for a part.
};

// `kept`: units that were begun elsewhere and are to be put in (ledger_put).
size_t ledger_size(uint32_t workers, uint32_t kept);

// Begins with unit 0, the whole search, which worker 0 runs; or with nothing if there are units to be put in.
void ledger_open(struct ledger *ledger, uint32_t workers, uint32_t kept, uint32_t limit);

// Puts in a unit behind all others: one that is done if there is no part, and else one that waits. False if there is no room.
bool ledger_put(struct ledger *ledger, const struct counts *counts, const struct search_part *part);

// What is left of a unit; null if nothing is, or if it was never told.
const struct search_part *ledger_part(const struct ledger *ledger, uint32_t unit);

// Whether somebody waits for whom there is nothing yet. Asked after every execution.
static inline bool ledger_is_asked(const struct ledger *ledger)
{
    return ledger->idle > ledger->waiting && ledger->last == NO_UNIT;
}

// Whether the unit comes after the one that ends the search, so that nobody needs it.
bool ledger_drops(struct ledger *ledger, uint32_t unit);

// For the worker of this job, which explores the unit with this strategy and has just ended an execution. Gives a part away: false if
// there is none, or no room for more. And tells what is left: false if there is no room.
bool ledger_give(struct ledger *ledger, const struct job *job, uint32_t unit, struct strategy *strategy);
bool ledger_tell(struct ledger *ledger, const struct job *job, uint32_t unit, struct strategy *strategy);

// The worker waits for a unit, or does so no longer.
void ledger_set_idle(struct ledger *ledger, uint32_t worker, bool idle);

// Takes the first unit that waits, for a worker that is idle, and no longer is then. NO_UNIT if none waits.
uint32_t ledger_take(struct ledger *ledger, const struct job *job);

// The unit is no longer explored: it is done, ends the search, was dropped, or was left as it is. What its worker has counted and
// found by then is in the job. With a strategy, what is left is told as well.
void ledger_leave(struct ledger *ledger, const struct job *job, uint32_t unit, enum unit_state state,
                  struct strategy *strategy);

// The search ends with this unit, and nothing else has to be finished.
void ledger_stop(struct ledger *ledger, uint32_t unit);

// Whether there is nothing to do any more, and there never will be.
bool ledger_is_over(struct ledger *ledger);

// Whether every unit was explored to its end.
bool ledger_is_complete(const struct ledger *ledger);

// Waits until something changes, but not for long.
void ledger_wait(struct ledger *ledger);

// How much of the search is done, by what the workers say of theirs.
struct share ledger_share(const struct ledger *ledger);

// A worker has died, perhaps in the middle of all this.
void ledger_bury(struct ledger *ledger, uint32_t worker, uint32_t process);

// What the dead worker had is as it last told of it, and waits for another, or is left. Says which unit that is, or NO_UNIT.
uint32_t ledger_return(struct ledger *ledger, uint32_t worker, enum unit_state state);

// The unit that a worker has, or NO_UNIT.
uint32_t ledger_unit_of(const struct ledger *ledger, uint32_t worker);

// Whether one unit comes before another.
bool ledger_is_before(const struct ledger *ledger, uint32_t unit, uint32_t other);

// How many executions of the unit a worker that explores it has behind it, once it has counted so many in all.
uint64_t ledger_executions_in(const struct ledger *ledger, uint32_t unit, uint64_t counted);

// The executions that count: of all units up to the one that ends the search, or of all that were begun. And those before a unit.
struct counts ledger_counts(const struct ledger *ledger);
uint64_t ledger_executions_before(const struct ledger *ledger, uint32_t unit);

void counts_add(struct counts *sum, const struct counts *more);

#endif
