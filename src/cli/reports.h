// All reports of one command, in whichever formats are wanted, the new baseline, and the exit status, which is that
// of the worst verdict.
//
// Each outcome goes to all formats that are wanted at once, so that traces need not be kept.
#ifndef CLI_REPORTS_H
#define CLI_REPORTS_H

#include "report/format.h"
#include "supervise/tolerance.h"

struct reports {
    bool wanted[REPORT_FORMATS];      // besides text
    const char *path[REPORT_FORMATS]; // of those that go to a file; "-": standard output, and no text
    const char *baseline_path;        // to be written
    bool colour;
    struct tolerance *tolerance; // or null
    // Set by reports_*.
    bool several;
    void *report[REPORT_FORMATS]; // under way; null: not wanted
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
