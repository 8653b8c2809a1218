// The states that a search has come to, by their fingerprints, in a table that keeps within a limit of memory.
//
// A state is *open* from when it is first entered until everything that can follow it has been tried; then it is closed. Where
// the limit is reached some of the closed ones are forgotten: they may be explored a second time, but nothing is left out.
// Open ones are never forgotten, since a search that goes round would not notice.
//
// Which ones go depends on how deep they lay when they were open (stratified caching: Geldenhuys, State caching reconsidered, SPIN 2004).
// If every second, or fourth, … depth is kept as a whole, a search that comes to a forgotten state goes on only to the next depth that is
// kept. Of states that are forgotten at random some lie on every way there is, and what follows them is searched
// again and again. A state's depth is the number of events before it: other ways to it have the same more often than they have the same
// number of open states, since states that are passed are not opened.
#ifndef EXPLORE_STATE_TABLE_H
#define EXPLORE_STATE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/fingerprint.h"

enum state_mark { STATE_NONE, STATE_ENDLESS, STATE_CLOSED, STATE_OPEN };

struct state_entry {
    struct fingerprint key;
    uint16_t mark;  // enum state_mark; endless: nothing that follows it is an end
    uint16_t depth; // events before it when it was entered, as far as there is room for the number
    union {
        uint32_t order;  // while it is open: how many open states there were before it
        uint32_t future; // once it is closed: what can follow (futures.h)
    };
};

struct state_table {
    struct state_entry *table; // open addressing
    uint64_t slots, used, most_slots;
    uint64_t entered;     // states that were new when they were come to
    uint64_t forgotten;   // and closed ones that had to go
    uint32_t kept_depths; // every so manyth depth is kept when states have to go, …
    uint32_t deepest;     // … of these, as long as some are left, …
    uint32_t round;       // … and then half of those states, others each time
};

// `bytes` is the most memory that it may take; 0: as much as there is.
void state_table_init(struct state_table *v, uint64_t bytes);
void state_table_free(struct state_table *v);

// Null if it is not known. What it returns is valid until the next call of state_table_open.
struct state_entry *state_table_find(const struct state_table *v, struct fingerprint key);

// Enters a state that is not known, as open.
void state_table_open(struct state_table *v, struct fingerprint key, uint32_t order, uint32_t depth);

// Takes out a state that is there.
void state_table_remove(struct state_table *v, struct fingerprint key);

#endif
