// The file that replays a failing execution of a cluster.
#ifndef CLUSTER_FILE_H
#define CLUSTER_FILE_H

#include <stdio.h>

#include "cluster/cluster_run.h"

#define CLUSTER_FILE_HEADER "heddle cluster 1\n"

// A step, named so that it means the same in another process. Channels that are there from the start always have the same
// actor. With messages in any order each message has one of its own, whose number depends on what was searched before: it is
// named by its link and how many were sent there before it.
struct named_step {
    uint16_t actor;
    uint16_t message; // 1 and up; 0: the channel itself
    uint16_t alternative;
};

struct cluster_file {
    char *source;
    char *flags; // for the compiler, separated by blanks; may be empty
    char *failure, *text;
    struct world_options world;
    uint32_t patience;
    struct named_step *steps;
    uint32_t step_count;
};

// Names for the steps of the world that is open; the caller frees them. And back again, in a world that is open.
struct named_step *cluster_name_steps(const struct step *steps, uint32_t count);
struct step *cluster_find_steps(const struct named_step *steps, uint32_t count);

// 0, or -1 with errno set.
int cluster_file_write(FILE *out, const struct cluster_file *file);

// Null, or a sentence about what is wrong. The caller frees what it got with cluster_file_free in any case.
const char *cluster_file_read(FILE *in, struct cluster_file *file);
void cluster_file_free(struct cluster_file *file);

// NAME.KIND.hd beside where the command runs; of several bugs the others have a number. The caller frees it.
char *cluster_file_name(const char *source, enum failure_kind kind, uint32_t number);

// Writes the file of a bug that was found in the world, which is open. 0, or -1 with errno set.
int cluster_file_keep(const char *path, const char *source, const char *flags, const struct cluster_options *options,
                      struct cluster_result *result);

// Runs the execution of the file again, in the world, which is open, and keeps how it ends. Returns how many steps were left
// out, since they could not be taken.
uint32_t cluster_file_follow(const struct cluster_file *file, struct cluster_result *result);

#endif
