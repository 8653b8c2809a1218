// The file that replays a failing execution of a cluster.
#ifndef CLUSTER_FILE_H
#define CLUSTER_FILE_H

#include <stdio.h>

#include "cluster/run.h"

#define CLUSTER_FILE_HEADER "heddle cluster 1\n"

struct cluster_file {
    char *source;
    char *flags; // for the compiler, separated by blanks; may be empty
    char *failure, *text;
    struct world_options world;
    uint32_t patience;
    struct step *steps;
    uint32_t step_count;
};

// 0, or -1 with errno set.
int cluster_file_write(FILE *out, const struct cluster_file *file);

// Null, or a sentence about what is wrong. The caller frees what it got with cluster_file_free in any case.
const char *cluster_file_read(FILE *in, struct cluster_file *file);
void cluster_file_free(struct cluster_file *file);

#endif
