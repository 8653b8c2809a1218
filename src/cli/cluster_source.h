// A protocol in C for `heddle cluster`: compiled to a shared object whose memory calls are heddle's.
#ifndef CLI_CLUSTER_SOURCE_H
#define CLI_CLUSTER_SOURCE_H

#include "target/nodes/world.h"

// Compiles the file with the compiler of HEDDLE_CC, or gcc, and these flags (separated by blanks; may be null), and opens
// the world with it. 0, or 2 after one sentence. Nothing is left behind.
int cluster_source_open(const char *command, const char *path, const char *flags, const struct world_options *options);

#endif
