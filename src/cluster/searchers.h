// Several processes that search one world together (-j with --next last, random or first): each a copy of the command with the world at its
// beginning. They share the visited states (shared_states.h), and work: who has several places to go on at hands one of
// them to somebody who has none, with the steps that lead there. When all have none, everything was visited.
//
// A place is handed over with what sleeps there and what is left to try, by the numbers of actors. Those of nodes and links are the same
// everywhere. A message that may come in any order has a number of its own, which the processes agree on (searchers_share_identities).
//
// Breadth-first search goes on at a place only when nobody has one that is nearer to the beginning, and none is on its way to
// somebody. So all places of one depth are done before those of the next, and the first failure has a shortest way.
//
// What is visited is what one process would visit. Which execution comes first differs from run to run, and so do the numbers of
// executions; if something fails, somebody's failing execution is reported. A member that dies takes its work along: the
// search is not complete then.
#ifndef CLUSTER_SEARCHERS_H
#define CLUSTER_SEARCHERS_H

#include <stdbool.h>
#include <stdint.h>

#include "cluster/frontier.h"
#include "cluster/shared_states.h"
#include "model/exec.h"

enum { SEARCHERS_MOST = 64 };

// What a member has done, once it is over.
struct searchers_counts {
    bool is_there;
    uint64_t executions, events, redundant, cut;
    uint64_t compared, independent, seen, forced, skipped, renamed, complete, audited;
    uint32_t deepest;
    char wrong[1200]; // what an audit found, or empty
    char no_room[512];
    uint32_t goal_count;
    struct {
        char name[80];
        uint64_t times;
    } goal[64];
};

struct searchers {
    struct searchers_board *board; // that all of them see
    struct shared_states *states;
    uint32_t members, me;
    bool (*has_died)(void *context); // asked while waiting: whether another member has died; or null
    void *context;
};

// Room for so many members, whose executions have at most `limit` steps, and for states of so many bytes. False: there is none.
bool searchers_open(struct searchers *searchers, uint32_t members, uint32_t limit, size_t bytes);
void searchers_close(struct searchers *searchers);

// Actors that a member comes across from now on have the same number for all; before processes are forked.
void searchers_share_identities(struct searchers *searchers, struct exec *exec);

// A member's process has ended, wherever it was.
void searchers_bury(struct searchers *searchers, uint32_t process);

// So many there are after all: not all could be started. Asked for by the first.
void searchers_enlist(struct searchers *searchers, uint32_t members);

// Whether somebody waits for work; and hands it a place to go on at. False: nobody did any more.
bool searchers_are_wanting(const struct searchers *searchers);
bool searchers_give(struct searchers *searchers, const struct level *level, const struct step *steps);

// Waits for work. False: there is none left, or the search has to end. The steps are `level->depth`.
bool searchers_take(struct searchers *searchers, struct level *level, struct step *steps);

// For breadth-first search: whether nobody has a place that is nearer to the beginning than this one, where the caller goes on next. If
// somebody has, the caller asks again after a pause, unless the search has to end.
bool searchers_is_turn(struct searchers *searchers, uint32_t depth);
void searchers_pause(struct searchers *searchers);

// One more execution; how many there are of all members.
uint64_t searchers_count_execution(struct searchers *searchers);

// Everybody has to end; `why` is the caller's, and that of the first who says so counts. 0: nobody has.
void searchers_stop(struct searchers *searchers, uint32_t why);
uint32_t searchers_stopped(const struct searchers *searchers);

// A member that died: nothing it had to do will be done. From then on all have to end.
void searchers_lose(struct searchers *searchers);
bool searchers_have_lost(const struct searchers *searchers);

// Where the member `which` leaves its counts.
struct searchers_counts *searchers_counts(const struct searchers *searchers, uint32_t which);

#endif
