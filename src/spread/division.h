// The list of all units of a search that several machines explore, at the one that hands them out. A unit is away until whoever has
// it brings back what is left of it, as a saved search, which then stands in its place. So the order of one worker is kept.
//
// Actors must have the same numbers everywhere, and each machine gives numbers to those that it comes across first. What comes back
// with other numbers than those that were given out meanwhile is not taken: the unit is handed out again as it was.
//
// Where a unit ends the search (a bug, a lesson), what comes after it is dropped, and the unit is left as it was just before: whoever
// finishes the search comes to its end again. For the command only.
#ifndef SPREAD_DIVISION_H
#define SPREAD_DIVISION_H

#include "spread/saved_search.h"

enum item_state { ITEM_WAITS, ITEM_AWAY, ITEM_DONE, ITEM_LAST };

struct item {
    struct item *next; // in the order of the search
    enum item_state state;
    uint32_t number; // which bugs name
    int holder;      // who has it while it is away
    double since;
    struct counts counts;
    struct search_part *part; // what is left of it, or null
};

struct division {
    struct item *first;
    uint32_t numbers;
    struct saved_search search; // all but its units; its bugs name items
    uint64_t refused;           // units that came back with other numbers
};

// Takes over the search.
void division_open(struct division *division, struct saved_search *search);

// The first unit that waits, for somebody to explore, as a search of its own; false if none does.
bool division_hand_out(struct division *division, int holder, struct saved_search *unit);

// What the holder's unit has become. Takes over its contents.
void division_take_back(struct division *division, int holder, struct saved_search *result);

// The holder brings nothing back: its unit waits again; or it ends the search, and nobody knows how.
void division_give_up(struct division *division, int holder);
void division_end_with(struct division *division, int holder);

// Whether somebody still wants what the holder explores.
bool division_has(const struct division *division, int holder);

// Divides units that wait until there are so many, if that is possible.
void division_divide(struct division *division, size_t wanted);

size_t division_count(const struct division *division, enum item_state state);

// The holder that has had its unit for longest; -1 if none is away.
int division_slowest(const struct division *division, double *since);

// All of it, as one search; what is away is as it was when it was handed out.
void division_collect(const struct division *division, struct saved_search *search);
void division_free(struct division *division);

#endif
