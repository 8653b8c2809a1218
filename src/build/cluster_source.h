// A protocol in C for `heddle cluster`: a shared object whose memory calls are heddle's (target/nodes/memory.c, access.c).
#ifndef BUILD_CLUSTER_SOURCE_H
#define BUILD_CLUSTER_SOURCE_H

#include "build/loadable.h"

// As loadable_build.
int cluster_source_build(struct loadable *protocol, const char *path, const char *flags);

#endif
