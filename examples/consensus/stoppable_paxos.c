// Stoppable Paxos (Lamport, Malkhi and Zhou, 2008): a value may be the order to stop, and nothing is decided behind it. The next state
// machine begins where this one ended.
//
//     heddle cluster --nodes 5 stoppable_paxos.c
//
// Written in its simplest form: a leader proposes for a position only when the one before is decided, so it knows of the stop.
// The first proposer wants to stop at once, the second has two commands.
//
// -DBUG=1:  two joins out of three, but one vote is enough.
// -DBUG=2:  a leader goes on behind a stop.
#ifndef BUG
#define BUG 0
#endif

enum { POSITIONS = 2, ACCEPTORS = 3, QUORUM = 2, STOP = 99 };
enum { JOIN_QUORUM = QUORUM, VOTE_QUORUM = BUG == 1 ? 1 : QUORUM };
#define OWN_VALUE(self, position) ((self) == 0 && (position) == 0 ? STOP : 10 * ((position) + 1) + (self))
#define GOES_ON_BEHIND(value) ((value) != STOP || BUG == 2)
#define CHECK check

struct heddle_view;
static const char *check(const struct heddle_view *view);

#include "multi_paxos.h"

// The tree has each position to itself; that nothing follows a stop is about two of them.
static const char *check(const struct heddle_view *v)
{
    bool stopped = false, second = false;
    for (int i = 0; i < PROPOSERS; i++) {
        const struct state *s = v->state[i];
        stopped |= s->decided[0] == STOP;
        second |= s->decided[1] != 0;
    }
    return stopped && second ? "something was decided behind a stop" : NULL;
}
