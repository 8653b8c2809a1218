// The report of `heddle qtree`: the verdict, each violation with its tree, what was read. The JSON is described in docs/qtree.md.
#ifndef REPORT_QTREE_REPORT_H
#define REPORT_QTREE_REPORT_H

#include "report/qtree_draw.h"

struct qtree_report {
    const char *file;
    struct qtree_drawing drawing;
    const struct qtree_violation *violations;
    uint32_t violation_count; // of different instances
    uint64_t unlisted;        // violations beyond those
    uint64_t lines;           // that were read
    bool stopped;             // at the first violation
    bool all_trees;           // not only those with a violation
    double seconds;
};

// Each: 0, or -1 if it could not be written.
int qtree_report_text(const struct qtree_report *report, FILE *out);
int qtree_report_json(const struct qtree_report *report, FILE *out);
int qtree_report_svg(const struct qtree_report *report, FILE *out);

#endif
