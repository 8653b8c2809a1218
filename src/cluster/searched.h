// What members of a shared search (searchers.h) have done, and the sum of it.
#ifndef CLUSTER_SEARCHED_H
#define CLUSTER_SEARCHED_H

#include "cluster/cluster_run.h"
#include "cluster/searchers.h"

// The member leaves what it has done, which ends its part.
void searched_leave(const struct searchers *searchers, const struct cluster_result *result);

// Adds what the other members have done to the result of the first. False: one of them has not left anything.
bool searched_sum(const struct searchers *searchers, struct cluster_result *result);

#endif
