// Makes a failing execution short, by leaving steps out, long stretches first, while it fails in the same way with
// fewer faults, or with no more faults and fewer steps.
#ifndef CLUSTER_SHORTENING_H
#define CLUSTER_SHORTENING_H

#include "cluster/cluster_run.h"

// Takes the shortest that is found in ten seconds as the steps of the result.
void shortening_do(const struct cluster_options *options, struct cluster_result *result);

// Whether the execution at hand has failed in the same way.
bool shortening_is_same(const struct cluster_result *result);

#endif
