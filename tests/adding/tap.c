// The Test Anything Protocol: a line for each test.
#include "report/format.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buffer.h"

struct tap {
    struct buffer lines;
    unsigned tests;
};

static void *tap_begin(const struct report_setting *setting)
{
    (void)setting;
    return alloc_zeroed(1, sizeof(struct tap));
}

static void tap_add(void *report, const struct report_summary *summary)
{
    struct tap *tap = report;
    bool good = report_verdict_of(summary) <= VERDICT_TOLERATED;
    buffer_add(&tap->lines, "%s %u - %s", good ? "ok" : "not ok", ++tap->tests, summary->program);
    for (size_t i = 0; i < summary->bug_count; i++)
        buffer_add(&tap->lines, "%s%s", i ? ", " : " # ", bug_name(summary->bugs[i].bug->bug.kind));
    buffer_add(&tap->lines, "\n");
}

static int tap_end(void *report, FILE *out, const struct report_end *end)
{
    (void)end;
    struct tap *tap = report;
    fprintf(out, "1..%u\n%s", tap->tests, buffer_text(&tap->lines));
    buffer_free(&tap->lines);
    free(tap);
    return ferror(out) ? -1 : 0;
}

const struct report_format tap_format = {
    "tap", "write a line for each test (TAP)", REPORT_TO_FILE, tap_begin, NULL, tap_add, tap_end};
