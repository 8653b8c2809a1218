// Which part of a recorded run a report shows: what the threads did to each other on the way to the failure. The rest
// is folded into rows that say how many steps they stand for; nothing is left out without such a row but a single access
// to memory without a name.
//
// Threads that run on after the last event that a deadlock needs are folded into a row each (`runs_on`).
#ifndef REPORT_STORY_H
#define REPORT_STORY_H

#include "report/names.h"
#include "report/trace_read.h"

// What the failure is about.
struct story_focus {
    size_t failure;       // entry that reports it, or NO_ENTRY
    size_t first, second; // the two accesses of a race, or NO_ENTRY; second is also the access that failed otherwise
    const struct trace_block *block; // a heap block it is about, or null
    uint32_t decisive_event;         // or NO_EVENT
    uint32_t last_event; // the last one that a deadlock needs: threads that run on after it have nothing to do with it
    struct names *names; // tells memory that has a name; null: all has
};

struct story_row {
    uint32_t actor; // MAX_ACTORS: several
    uint32_t steps; // folded steps; 0: the row shows one entry
    size_t entry;   // the entry, or the first folded one
    bool switched;  // another thread ran before
    bool decisive, failure, first_access;
};

struct story {
    struct story_row *rows;
    size_t count, room;
};

void story_tell(struct story *s, const struct trace *t, const struct story_focus *focus);
void story_free(struct story *s);

#endif
