#include "report/format.h"

const struct report_format *const report_formats[REPORT_FORMATS] = {
    [FORMAT_TEXT] = &text_format,               // what is there without an option
    [FORMAT_JSON] = &json_format,               // for programs
    [FORMAT_SARIF] = &sarif_format,             // for code scanning
    [FORMAT_JUNIT] = &junit_format,             // for build servers
    [FORMAT_ANNOTATIONS] = &annotations_format, // for GitHub Actions
};
