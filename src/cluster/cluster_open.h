// Opens the world with a protocol, with all that a search or a replay needs beside it.
#ifndef CLUSTER_CLUSTER_OPEN_H
#define CLUSTER_CLUSTER_OPEN_H

#include "cluster/cluster_run.h"

// Null, or why the protocol cannot be searched like that; then nothing is open. The object may be removed afterwards.
const char *cluster_open(const char *object, const struct cluster_options *options);
void cluster_close(void);

#endif
