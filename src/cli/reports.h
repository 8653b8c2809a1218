// All reports of one command: text, JSON, SARIF, JUnit, annotations, the new baseline; and the exit status, which is that
// of the worst verdict.
#ifndef CLI_REPORTS_H
#define CLI_REPORTS_H

#include "report/report.h"
#include "supervise/tolerance.h"

struct reports {
    const char *json_path, *sarif_path, *junit_path; // null: not wanted; "-": standard output, and no text
    const char *baseline_path;                       // to be written
    bool annotations;
    bool colour;
    struct tolerance *tolerance; // or null
    // Set by reports_*.
    bool quiet, several;
    struct json_report *json;
    struct sarif *sarif;
    struct junit *junit;
    struct suite_text *text;
    FILE *below; // annotations, until the text is complete
    char *below_text;
    size_t below_size;
    size_t count[REPORT_VERDICTS];
    uint64_t executions;
    double seconds;
};

// Null, or what does not go together.
const char *reports_trouble(const struct reports *r);

// `several`: tests, which get a summary; otherwise one program.
void reports_begin(struct reports *r, bool several);

// The tests of this file follow, with names of up to `width` columns.
void reports_file(struct reports *r, const char *file, size_t width);
void reports_add(struct reports *r, const struct report_summary *summary);

// Writes what is wanted. Returns the exit status: that of the worst verdict, or 2 after a sentence if something cannot be
// written.
int reports_end(struct reports *r);

#endif
