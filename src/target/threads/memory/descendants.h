// Processes that the program has started and that run on their own: what they do while it waits for them.
#ifndef TARGET_DESCENDANTS_H
#define TARGET_DESCENDANTS_H

#include <stdint.h>
#include <sys/types.h>

struct descendants {
    uint32_t count;
    uint64_t time_ms; // of processors, together
};

// Those of the process group of `leader`, but for itself.
struct descendants descendants_of(pid_t leader);

#endif
