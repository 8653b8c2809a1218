// The line on a terminal that says how far a search is, and how much memory it takes.
#ifndef CLUSTER_LINE_H
#define CLUSTER_LINE_H

#include <stddef.h>
#include <stdint.h>

#include "cluster/policy.h"

// Shows it on standard error, a few times a second however often it is called.
void line_show(uint64_t executions, double seconds, const struct policy_counts *counts);
void line_clear(void);

// Bytes of memory that this process has; 0 if that is not known.
size_t line_memory(void);

// The memory that a search may take by default: most of what the machine has free; 0 if that is not known.
size_t line_spare_memory(void);

#endif
