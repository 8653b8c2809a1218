// Multi-Paxos: two proposers and three acceptors agree on the first two positions of a log.
//
//     heddle cluster --nodes 5 multi_paxos.c
//
// -DBUG=1:  two joins out of three, but one vote is enough.
// -DBUG=2:  one join is enough.
#ifndef BUG
#define BUG 0
#endif

enum { POSITIONS = 2, ACCEPTORS = 3, QUORUM = ACCEPTORS / 2 + 1 };
enum { JOIN_QUORUM = BUG == 2 ? 1 : QUORUM, VOTE_QUORUM = BUG == 1 ? 1 : QUORUM };

#include "multi_paxos.h"
