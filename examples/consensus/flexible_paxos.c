// Flexible Paxos (Howard, Malkhi and Spiegelman, 2016): quorums of different phases have to meet, those of one phase need not. Of
// four acceptors three begin a round and two decide.
//
//     heddle cluster --nodes 6 flexible_paxos.c
//
// -DBUG=1:  two begin a round and two decide: these need not meet.
// -DBUG=2:  three begin a round and one decides.
#ifndef BUG
#define BUG 0
#endif

enum { POSITIONS = 1, ACCEPTORS = 4, JOIN_QUORUM = BUG == 1 ? 2 : 3, VOTE_QUORUM = BUG == 2 ? 1 : 2 };

#include "multi_paxos.h"
