// Root causes: blocks of code that would have to be atomic for failing executions to be impossible (seed 001, §2.3).
//
// A run is one execution with the place in the source of each event. A block is a range of lines of a function: what one
// activation of it does, with what it calls, from the first event in these lines to the last before it leaves them.
//
// The blocks of several executions are combined, and ranked. A block that connects the rounds of a loop is widened to
// the loop.
#ifndef REPAIR_CAUSE_H
#define REPAIR_CAUSE_H

#include "repair/segments.h"

enum { CAUSE_BLOCKS = 8 };

// Where an event stands in one of the functions under way.
struct cause_place {
    uint32_t function; // any number for it
    uint32_t line;
    uint32_t frame;   // activation on the stack, from 0; inlined functions share that of their caller
    uint64_t address; // where the machine was in it; 0: not known
};

struct cause_site {
    uint32_t first, count; // of cause_run.place: outermost first
    uint32_t kept;         // so many activations are the same as at the actor's event before
};

struct cause_run {
    struct segment_run graph;
    struct cause_site *site; // by event
    struct cause_place *place;
    bool bad;
    uint32_t client; // which one ran
};

struct cause_block {
    uint32_t function, from, to;
    bool loops; // it goes on when control goes back within it: it has a loop in it
};

// Blocks of different functions, or that do not overlap.
struct cause_repair {
    uint32_t count;
    struct cause_block block[CAUSE_BLOCKS];
    uint64_t bad, good; // how many of the runs it was weighed against are impossible with it
};

struct cause_repairs {
    struct cause_repair *repair;
    size_t count, room;
};

// Widens a block to something that can be written down as one: to the loop whose rounds it connects, for example.
struct cause_source {
    void (*widen)(void *context, struct cause_block *block);
    void *context;
};

// Whether the run is impossible if the blocks are atomic.
bool cause_forbids(const struct cause_repair *repair, const struct cause_run *run);

// Whether the event goes on in the block that the actor's event before was in; for those who enforce it.
bool cause_goes_on(const struct cause_block *block, uint32_t line_before, uint32_t line);

// The smallest repairs that forbid this one run.
void cause_of_run(const struct cause_run *run, const struct cause_source *source, struct cause_repairs *repairs);

// Makes each of `repairs` forbid the run too, in every smallest way; empty: no way at all.
void cause_extend(struct cause_repairs *repairs, const struct cause_run *run, const struct cause_source *source);

// Adds the repair, unless one that lies inside it is there; those that it lies inside go.
void cause_add(struct cause_repairs *repairs, const struct cause_repair *repair);

// Counts what each forbids, and puts first what forbids the fewest good runs, then the shortest.
void cause_rank(struct cause_repairs *repairs, const struct cause_run *runs, size_t count);

void cause_free(struct cause_repairs *repairs);

#endif
