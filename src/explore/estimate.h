// How many executions a tree of plans has, estimated without running them all.
//
// Each execution of optimal search shows all branches that begin in it, so the executions form a tree in which every node
// shows its children. Such a tree can be measured by probing a few of its nodes: by stratified sampling (Chen, Heuristic
// sampling, SIAM Journal on Computing 1992), a refinement of Knuth's random descent. Plans of one generation are put into
// cells, by how much of them could still be reversed and by where they end. Of each cell one plan is run, drawn by weight,
// and stands for all of them: its branches get the weight of the whole cell. The sum of all weights has the number of
// executions as its expectation, whatever the cells are; the more alike the plans of a cell, the less it varies.
#ifndef EXPLORE_ESTIMATE_H
#define EXPLORE_ESTIMATE_H

#include "explore/course.h"

struct estimator;

// What the tree is made of: the plans that are owed. Offers each of them by estimator_offer.
typedef void owed_plans(void *owner, struct estimator *e);

// Runs executions of the target until estimate->spent says that it is enough. The target is in another state afterwards. False if nothing
// can be said.
bool estimator_run(struct target *target, const struct strategy_options *options, owed_plans *owed, void *owner,
                   struct estimate *estimate);

// A plan: the steps and the detours of an execution, of which the first `branch->from` steps count, then the branch's own. `usual`:
// how many of the first steps are usual ones.
void estimator_offer(struct estimator *e, const struct plan_step *steps, uint32_t usual, const struct detour *detours,
                     uint32_t detour_count, const struct branch *branch, const struct plan_step *own);

#endif
