// The quorum tree in the report of a bug: what the nodes had proposed and decided when it happened. If two events disagree, only the
// tree of their instance is shown.
#ifndef CLUSTER_TREE_REPORT_H
#define CLUSTER_TREE_REPORT_H

#include "cluster/tale.h"

// Whether there is one: the protocol tells of rounds, and some were told.
bool tree_report_has(void);

void tree_report_text(const struct cluster_result *result, FILE *out);
cJSON *tree_report_json(const struct cluster_result *result); // a list of trees

// Puts it below the story. The caller frees the body.
struct tale_annex tree_report_annex(const struct cluster_result *result, int top);

#endif
