// Executions without an end. A search by states goes on from each state once, so an execution that goes round in a circle stops where it
// comes back to a state that is known, and is never over: nobody would ask whether nodes come to rest, or judge what clients saw.
// So some executions are judged where they stop, as if they were over: those that may be in a circle, and those that stop since
// everything that can happen there sleeps.
//
// Each state has a rank, which is kept with it (visited.h): one more than the state from which the search first came to it. A step to a
// known state of no higher rank may close a circle, and around each circle there is one, since ranks cannot grow all the way. (Most
// such steps close none: ways to a state may be of different lengths.)
//
// What follows: from every state that is visited the search's own steps lead to an end that is judged. They lead to states of higher and
// higher rank, for only so long, and stop at an end of an execution, at a step to a state of no higher rank, or where all sleeps. So if
// nodes can get to where no execution ends and none ever comes to rest, such a place is judged; and what clients saw by then is judged there,
// since a history that is wrong stays wrong. Sleeping events may hide a circle as such (those of its steps that are independent of what
// else happens are taken before), but not this.
#ifndef CLUSTER_CIRCLES_H
#define CLUSTER_CIRCLES_H

#include <stdbool.h>
#include <stdint.h>

struct circles {
    uint64_t *judged; // numbers of states, as far as there is room; null: nobody asks how executions end
    uint64_t number;  // of the state that was come to last
    uint16_t rank;    // of the last state on the way of the execution at hand that was kept
};

void circles_open(struct circles *circles);
void circles_close(struct circles *circles);

// The rank that the next state gets if it is new.
uint16_t circles_next_rank(const struct circles *circles);

// The search has come to the state of this number, which has this rank. Whether the execution is to be judged here.
bool circles_come_to(struct circles *circles, uint64_t number, uint16_t rank, bool is_new);

// The same where the execution stops since everything sleeps.
bool circles_sleep(struct circles *circles);

#endif
