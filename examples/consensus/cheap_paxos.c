// Cheap Paxos (Lamport and Massa, DSN 2004): two of three acceptors do all the work, and both are the quorum. The third is idle until
// one of them is suspected to have failed: whoever begins a round then takes the third in its place.
//
//     heddle cluster --nodes 5 cheap_paxos.c
//
// Here the first proposer works with acceptors 0 and 1. The second suspects acceptor 0 and works with 1 and 2; in its later rounds it
// suspects acceptor 1 and works with 0 and 2. Any two of these pairs have one acceptor in common, which remembers.
//
// -DBUG=1:  the second proposer is content with the third acceptor alone until the other answers.
// -DBUG=2:  the first proposer takes the vote of one acceptor for both.
#ifndef BUG
#define BUG 0
#endif

enum { POSITIONS = 1, ACCEPTORS = 3 };
#define JOIN_QUORUM (BUG == 1 && heddle_self() == 1 ? 1 : 2)
#define VOTE_QUORUM (BUG == 2 && heddle_self() == 0 ? 1 : 2)
#define IS_ASKED(self, round, number) ((self) == 0 ? (number) < 2 : (number) != ((round) > PROPOSERS))

#include "multi_paxos.h"
