// The report for programs; its format is described in docs/json.md.
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include <stdio.h>

#include "report/report.h"

enum { JSON_VERSION = 1 }; // raised when a field changes its meaning or goes away

// Writes one JSON object and a new line. 0, or -1 if it could not be written.
int report_json(FILE *out, const struct report_summary *summary);

// The same for several, each of which is turned into JSON when it is added: nothing it points to is needed afterwards. One
// that stands alone has its members at the top, tests stand in a list.
struct json_report;
struct json_report *json_report_new(bool several);
void json_report_add(struct json_report *report, const struct report_summary *summary);

// Another member at the top, of a command that has more to tell. Takes it over.
struct cJSON;
void json_report_add_member(struct json_report *report, const char *name, struct cJSON *member);

// Writes and frees it; `end` may be null.
int json_report_write(struct json_report *report, FILE *out, const struct report_end *end);

#endif
