// JUnit's XML, which most build servers read: a suite per program, a case per test (or one for a program without tests).
// A bug is a failure, with the whole report as its text; what could not be checked or covered is an error.
#include "report/format.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "report/finding.h"
#include "report/report_text.h"

struct junit_suite {
    char *program;
    struct buffer cases;
    size_t tests, failures, errors;
    double seconds;
};

struct junit {
    struct junit_suite *suites;
    size_t count, room;
};

static void *junit_begin(const struct report_setting *setting)
{
    (void)setting;
    return alloc_zeroed(1, sizeof(struct junit));
}

// XML 1.0 has no way at all to write most control characters, nor U+FFFE and U+FFFF.
static void add_escaped(struct buffer *out, const char *text)
{
    struct buffer safe = {0};
    buffer_add_safe(&safe, text, strlen(text), true);
    for (const char *c = buffer_text(&safe); *c; c++) {
        switch (*c) {
        case '&':
            buffer_add(out, "&amp;");
            break;
        case '<':
            buffer_add(out, "&lt;");
            break;
        case '>':
            buffer_add(out, "&gt;");
            break;
        case '"':
            buffer_add(out, "&quot;");
            break;
        case '\n':
            buffer_add(out, "&#10;");
            break;
        default:
            if (!strncmp(c, "\xef\xbf\xbe", 3) || !strncmp(c, "\xef\xbf\xbf", 3)) {
                buffer_add(out, "?");
                c += 2;
            } else {
                buffer_append(out, c, 1);
            }
        }
    }
    buffer_free(&safe);
}

static void add_attribute(struct buffer *out, const char *name, const char *value)
{
    buffer_add(out, " %s=\"", name);
    add_escaped(out, value);
    buffer_add(out, "\"");
}

// The tests of one program come one after the other.
static struct junit_suite *suite_of(struct junit *junit, const char *program)
{
    if (junit->count && !strcmp(junit->suites[junit->count - 1].program, program))
        return &junit->suites[junit->count - 1];
    junit->suites = alloc_grow(junit->suites, junit->count, &junit->room, sizeof *junit->suites);
    struct junit_suite *suite = &junit->suites[junit->count++];
    *suite = (struct junit_suite){.program = alloc_copy(program)};
    return suite;
}

static char *report_of(const struct report_summary *summary)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = alloc_checked(open_memstream(&text, &size));
    report_text(memory, summary, false);
    require(!fclose(memory));
    return text;
}

static void add_problem(struct buffer *out, const char *element, const char *type, const char *message,
                        const char *text)
{
    buffer_add(out, "      <%s", element);
    add_attribute(out, "type", type);
    add_attribute(out, "message", message);
    buffer_add(out, ">");
    add_escaped(out, text);
    buffer_add(out, "</%s>\n", element);
}

static void add_failure(struct buffer *out, const struct report_summary *summary, const char *text)
{
    struct finding f;
    struct buffer sentence = {0};
    finding_open(&f, summary, &summary->bugs[0]);
    finding_sentence(&f, &sentence);
    add_problem(out, "failure", bug_name(f.bug->kind), sentence.text, text);
    buffer_free(&sentence);
    finding_close(&f);
}

static void add_result(struct junit_suite *suite, const struct report_summary *summary)
{
    char *text = report_of(summary);
    switch (report_verdict_of(summary)) {
    case VERDICT_BUG:
        suite->failures++;
        add_failure(&suite->cases, summary, text);
        break;
    case VERDICT_INCOMPLETE:
    case VERDICT_ERROR:
        suite->errors++;
        add_problem(&suite->cases, "error", summary->verdict,
                    summary->reason ? summary->reason : "not every interleaving was covered", text);
        break;
    default:
        buffer_add(&suite->cases, "      <system-out>");
        add_escaped(&suite->cases, text);
        buffer_add(&suite->cases, "</system-out>\n");
        break;
    }
    free(text);
}

static void junit_add(void *report, const struct report_summary *summary)
{
    struct junit *junit = report;
    struct junit_suite *suite = suite_of(junit, summary->program);
    suite->tests++;
    suite->seconds += summary->seconds;
    buffer_add(&suite->cases, "    <testcase");
    add_attribute(&suite->cases, "name", summary->test ? summary->test : summary->program);
    add_attribute(&suite->cases, "classname", summary->program);
    buffer_add(&suite->cases, " time=\"%.3f\">\n", summary->seconds);
    add_result(suite, summary);
    buffer_add(&suite->cases, "    </testcase>\n");
}

static void write_counts(FILE *out, size_t tests, size_t failures, size_t errors, double seconds)
{
    fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"0\" time=\"%.3f\">\n", tests, failures,
            errors, seconds);
}

static void write_suite(const struct junit_suite *suite, FILE *out)
{
    struct buffer name = {0};
    add_attribute(&name, "name", suite->program);
    fprintf(out, "  <testsuite%s", name.text);
    write_counts(out, suite->tests, suite->failures, suite->errors, suite->seconds);
    fprintf(out, "%s  </testsuite>\n", buffer_text(&suite->cases));
    buffer_free(&name);
}

static int junit_end(void *report, FILE *out, const struct report_end *end)
{
    struct junit *junit = report;
    size_t tests = 0;
    for (size_t i = 0; i < junit->count; i++)
        tests += junit->suites[i].tests;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"heddle\"", out);
    write_counts(out, tests, end->count[VERDICT_BUG], end->count[VERDICT_INCOMPLETE] + end->count[VERDICT_ERROR],
                 end->seconds);
    for (size_t i = 0; i < junit->count; i++) {
        write_suite(&junit->suites[i], out);
        free(junit->suites[i].program);
        buffer_free(&junit->suites[i].cases);
    }
    fputs("</testsuites>\n", out);
    free(junit->suites);
    free(junit);
    return fflush(out) || ferror(out) ? -1 : 0;
}

const struct report_format junit_format = {
    "junit", "write the tests as JUnit XML", REPORT_TO_FILE, junit_begin, NULL, junit_add, junit_end};
