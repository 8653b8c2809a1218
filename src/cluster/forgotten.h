// The audit of what a protocol calls auxiliary or forgets (target/nodes/relevant.h). States that are the same without it have to be the
// same in what can happen, in what that leads to, and in what predicates say. All of that is kept of the first such state; a
// later one that differs in what was left out is held against it. Meanwhile the search leaves nothing out, or it would not come to
// later states. So what is the same after one event, in all states that were visited, is the same for ever.
#ifndef CLUSTER_FORGOTTEN_H
#define CLUSTER_FORGOTTEN_H

#include <stddef.h>
#include <stdint.h>

struct forgotten {
    struct known_event *known; // null: nothing is left out
    uint64_t room, count;
};

// Looks from now on, if anything is left out. The world is open.
void forgotten_open(struct forgotten *forgotten);
void forgotten_close(struct forgotten *forgotten);

// Looks at the state at hand, in which something can happen or nothing. How many answers were compared; `wrong` gets a sentence if
// two of them differ.
uint64_t forgotten_look(struct forgotten *forgotten, uint32_t patience, char *wrong, size_t room);

#endif
