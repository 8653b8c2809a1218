// What would have to be atomic for an object to be right: found from failing executions, and checked by enforcing it.
#ifndef SUPERVISE_REPAIR_H
#define SUPERVISE_REPAIR_H

#include "lin/inventor.h"
#include "repair/cause.h"
#include "supervise/code.h"
#include "supervise/lock.h"

struct lin;

enum repair_end {
    REPAIR_OFF,      // it was not asked for, or there is nothing that it could be about
    REPAIR_CHECKED,  // `best` makes every client right
    REPAIR_TIME,     // the time was over; `best` is what was to be tried next, if there is anything
    REPAIR_NONE,     // no blocks forbid what fails
    REPAIR_NO_LINES, // the program was built without -g
    REPAIR_WHOLE,    // `best` makes every client right: the whole calls, since no smaller blocks do
};

// Lines of a function, for people.
struct repair_lines {
    const char *file, *function;
    uint32_t from, to;
    bool loop; // they are one, as a whole
};

struct repair {
    double seconds;                   // for all of it; 0: off
    const struct lock_source *source; // null: the program was given without its source
    bool with_lock;                   // also as a mutex

    // The answer.
    enum repair_end end;
    struct code *code;
    const struct client_bounds *bounds; // of the clients that it was checked on first; null: it was a given one
    struct cause_repairs
        causes;         // what forbids single failing executions of the failing client, each by itself, ranked …
    uint64_t bad, good; // … against so many of it
    struct cause_repair best;
    struct repair_reach reach;
    uint64_t executions;
    uint32_t tried; // repairs that were found wanting before it
    struct lock lock;
    double took, thought; // seconds in all; without running anything
};

// `failing` is a client of the object. What would repair it is checked on it and on all clients within the bounds (`around`:
// calls before and after their threads), or, unless it is null, on `given`; and then on those with a call or a thread more,
// for a part of the time: what fails only there would otherwise come back as the next bug.
void repair_find(struct repair *repair, struct lin *lin, const struct client *failing, const struct client *given,
                 const struct client *around);
void repair_free(struct repair *repair);

// The blocks of a repair in the order of the source; room for CAUSE_BLOCKS. Returns how many.
uint32_t repair_lines(const struct repair *repair, const struct cause_repair *which, struct repair_lines *lines);

#endif
