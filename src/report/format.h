// The formats of a report: one row each (format.c). A command begins those that are wanted, hands each outcome to all of them at
// once, so that recorded runs need not be kept, and ends them.
#ifndef REPORT_FORMAT_H
#define REPORT_FORMAT_H

#include <stdio.h>

#include "report/report.h"

struct report_setting {
    bool several; // tests, which get a summary; otherwise one program
    bool colour;  // of text
    FILE *text;   // where text goes
};

// Where a report goes.
enum report_goes {
    REPORT_IS_TEXT,    // to standard output, as tests come to their end, unless another report goes there
    REPORT_BELOW_TEXT, // to standard output at the end; its option takes no value
    REPORT_TO_FILE,    // to the file that its option names
};

struct report_format {
    const char *option, *help; // null: none is needed
    enum report_goes goes;
    void *(*begin)(const struct report_setting *setting);
    void (*file)(void *report, const char *file, size_t width);        // tests of this file follow; may be null
    void (*add)(void *report, const struct report_summary *summary);   // nothing it points to is needed afterwards
    int (*end)(void *report, FILE *out, const struct report_end *end); // writes what is left, and frees it: 0, or -1
};

enum report_format_kind { FORMAT_TEXT, FORMAT_JSON, FORMAT_SARIF, FORMAT_JUNIT, FORMAT_ANNOTATIONS, REPORT_FORMATS };

// Each is at the end of the file that is called like it; `text_format` is in suite.c.
extern const struct report_format text_format, json_format, sarif_format, junit_format, annotations_format;

extern const struct report_format *const report_formats[REPORT_FORMATS];

#endif
