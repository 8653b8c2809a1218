// What a search that is built on `dfs` needs to know of it.
#ifndef EXPLORE_DFS_H
#define EXPLORE_DFS_H

#include "explore/strategy.h"

// How many preemptions the current path has in its first `events` events, which reach below the root.
uint32_t dfs_spent(const struct strategy *dfs, uint32_t events);

// Whether going on with another actor is a preemption, since the one that ran last could have gone on.
bool dfs_is_preempted(const struct strategy *s, uint32_t last);

// Whether the bound has kept it from trying something.
bool dfs_left_out(const struct strategy *dfs);

#endif
