// What a search of a cluster has found, as text, JSON or a picture.
#ifndef CLUSTER_CLUSTER_REPORT_H
#define CLUSTER_CLUSTER_REPORT_H

#include <stdio.h>

#include "cluster/cluster_run.h"
#include "cluster/tale.h"

struct cluster_report {
    const struct cluster_options *options;
    const struct cluster_result *result;
    const char *program, *schedule; // schedule may be null
    struct tale tale;               // made by cluster_report_open
    bool is_other;                  // one of several bugs, not the first
};

// The world must be open. Records the story of a bug.
void cluster_report_open(struct cluster_report *report);
void cluster_report_close(struct cluster_report *report);

// Each: 0, or -1 if writing failed.
int cluster_report_text(struct cluster_report *report, FILE *out);
int cluster_report_counts(struct cluster_report *report,
                          FILE *out); // what was searched; for the whole, not for each bug
int cluster_report_json(struct cluster_report *report, FILE *out);
int cluster_report_svg(struct cluster_report *report, FILE *out);

// The exit status.
int cluster_report_status(const struct cluster_report *report);

#endif
