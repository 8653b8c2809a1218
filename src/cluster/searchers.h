// Several processes that search the states of one world together (-j with --next last): each a copy of the command with the world at its
// beginning. They share the visited states (shared_states.h), and work: who has several places to go on at hands the one nearest to
// the beginning to somebody who has none, with the steps that lead there. When all have none, everything was visited.
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

enum { SEARCHERS_MOST = 64 };

// What a member has done, once it is over.
struct searchers_counts {
    bool is_there;
    uint64_t executions, events, redundant, cut;
    uint64_t compared, independent, seen, forced, skipped, renamed, complete;
    uint32_t deepest;
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

// So many there are after all: not all could be started. Asked for by the first.
void searchers_enlist(struct searchers *searchers, uint32_t members);

// Whether somebody waits for work; and hands it a place to go on at. False: nobody did any more.
bool searchers_are_wanting(const struct searchers *searchers);
bool searchers_give(struct searchers *searchers, const struct level *level, const struct step *steps);

// Waits for work. False: there is none left, or the search has to end. The steps are `level->depth`.
bool searchers_take(struct searchers *searchers, struct level *level, struct step *steps);

// Everybody has to end; `why` is the caller's, and that of the first who says so counts. 0: nobody has.
void searchers_stop(struct searchers *searchers, uint32_t why);
uint32_t searchers_stopped(const struct searchers *searchers);

// A member that died: nothing it had to do will be done. From then on all have to end.
void searchers_lose(struct searchers *searchers);
bool searchers_have_lost(const struct searchers *searchers);

// Where the member `which` leaves its counts.
struct searchers_counts *searchers_counts(const struct searchers *searchers, uint32_t which);

#endif
