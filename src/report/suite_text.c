// The report as text. Of several tests in the manner of a test runner: a line each as soon as it is done, the reports of those
// that are not verified below, and totals. Of one program, its report.
#include "report/format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "report/report_text.h"
#include "report/style.h"

enum { MOST_WIDTH = 60, VERDICT_WIDTH = 10 };

struct suite_text {
    bool several;
    FILE *out;
    struct style style;
    size_t width; // of the names of this file's tests
    FILE *below;  // reports, to be printed at the end
    char *text;   // of `below`
    size_t size;
    char **assumptions; // of all tests, each once
    size_t assumption_count, assumption_room;
};

static void *suite_text_begin(const struct report_setting *setting)
{
    struct suite_text *s = alloc_zeroed(1, sizeof *s);
    s->several = setting->several;
    s->out = setting->text;
    style_init(&s->style, s->out, setting->colour);
    s->below = alloc_checked(open_memstream(&s->text, &s->size));
    return s;
}

static void suite_text_file(void *report, const char *file, size_t width)
{
    struct suite_text *s = report;
    if (!s->several)
        return;
    s->width = width < MOST_WIDTH ? width : MOST_WIDTH;
    fprintf(s->out, "%s\n", file);
}

static void pad(FILE *out, const char *text, size_t width)
{
    size_t columns = style_columns(text);
    fputs(text, out);
    for (; columns < width; columns++)
        fputc(' ', out);
}

static enum look look_of(enum report_verdict verdict)
{
    switch (verdict) {
    case VERDICT_BUG:
    case VERDICT_ERROR:
        return LOOK_FAILURE;
    case VERDICT_INCOMPLETE:
        return LOOK_DECISIVE;
    default:
        return LOOK_PLAIN;
    }
}

static void add_kinds(FILE *out, const struct report_summary *summary)
{
    for (size_t i = 0; i < summary->bug_count; i++) {
        const char *kind = bug_name(summary->bugs[i].bug->bug.kind);
        bool told = false;
        for (size_t j = 0; j < i; j++)
            told |= summary->bugs[j].bug->bug.kind == summary->bugs[i].bug->bug.kind;
        if (!told)
            fprintf(out, "%s%s", i ? ", " : "  ", kind);
    }
}

static void keep_assumptions(struct suite_text *s, const struct report_summary *summary)
{
    for (size_t i = 0; i < summary->assumption_count; i++) {
        bool known = false;
        for (size_t j = 0; j < s->assumption_count; j++)
            known |= !strcmp(s->assumptions[j], summary->assumptions[i]);
        if (known)
            continue;
        s->assumptions = alloc_grow(s->assumptions, s->assumption_count, &s->assumption_room, sizeof *s->assumptions);
        s->assumptions[s->assumption_count++] = alloc_copy(summary->assumptions[i]);
    }
}

static void keep_report(struct suite_text *s, const struct report_summary *summary)
{
    struct report_summary short_one = *summary;
    short_one.assumption_count = 0; // said once, for all
    fprintf(s->below, "\n%s== %s%s%s%s\n", style_on(&s->style, LOOK_BOLD), summary->program, summary->test ? ": " : "",
            summary->test ? summary->test : "", style_off(&s->style, LOOK_BOLD));
    report_text_styled(s->below, &short_one, &s->style);
}

static void add_test(struct suite_text *s, const struct report_summary *summary)
{
    enum report_verdict verdict = report_verdict_of(summary);
    fputs("  ", s->out);
    pad(s->out, summary->test ? summary->test : summary->program, s->width);
    fprintf(s->out, "  %s", style_on(&s->style, look_of(verdict)));
    pad(s->out, summary->verdict, VERDICT_WIDTH);
    fputs(style_off(&s->style, look_of(verdict)), s->out);
    if (summary->job)
        fprintf(s->out, "  %8" PRIu64 " execution%s %7.2f s", summary->job->answer.counts.executions,
                summary->job->answer.counts.executions == 1 ? " " : "s", summary->seconds);
    add_kinds(s->out, summary);
    fputc('\n', s->out);
    fflush(s->out);
    keep_assumptions(s, summary);
    if (verdict != VERDICT_VERIFIED)
        keep_report(s, summary);
}

static void suite_text_add(void *report, const struct report_summary *summary)
{
    struct suite_text *s = report;
    if (s->several)
        add_test(s, summary);
    else
        report_text_styled(s->out, summary, &s->style);
}

// What a user should know about baseline and suppressions that were not needed.
static void print_unneeded(FILE *out, const struct report_end *end)
{
    for (size_t i = 0; i < end->unused_count; i++)
        fprintf(out, "  unused suppression: %s\n", end->unused[i]);
    if (end->unseen)
        fprintf(out, "  %zu bug%s of the baseline %s not seen\n", end->unseen, end->unseen == 1 ? "" : "s",
                end->unseen == 1 ? "was" : "were");
}

static void print_totals(struct suite_text *s, const struct report_end *end)
{
    size_t tests = 0;
    for (size_t i = 0; i < REPORT_VERDICTS; i++)
        tests += end->count[i];
    fprintf(s->out, "\n%s%zu test%s%s", style_on(&s->style, LOOK_BOLD), tests, tests == 1 ? "" : "s",
            style_off(&s->style, LOOK_BOLD));
    const char *before = ": ";
    for (size_t i = 0; i < REPORT_VERDICTS; i++) {
        if (end->count[i]) {
            fprintf(s->out, "%s%zu %s", before, end->count[i], report_verdicts[i]);
            before = ", ";
        }
    }
    fprintf(s->out, "; %" PRIu64 " execution%s, %.2f s\n", end->executions, end->executions == 1 ? "" : "s",
            end->seconds);
}

static int suite_text_end(void *report, FILE *out, const struct report_end *end)
{
    (void)out;
    struct suite_text *s = report;
    require(!fclose(s->below));
    fwrite(s->text, 1, s->size, s->out);
    if (s->several)
        print_totals(s, end);
    print_unneeded(s->out, end);
    report_text_assumptions(s->out, (const char *const *)s->assumptions, s->assumption_count, &s->style);
    for (size_t i = 0; i < s->assumption_count; i++)
        free(s->assumptions[i]);
    free(s->assumptions);
    free(s->text);
    free(s);
    return 0; // standard output is looked at when everything is over
}

const struct report_format text_format = {.goes = REPORT_IS_TEXT,
                                          .begin = suite_text_begin,
                                          .file = suite_text_file,
                                          .add = suite_text_add,
                                          .end = suite_text_end};
