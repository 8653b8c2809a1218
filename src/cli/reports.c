#include "cli/reports.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/version.h"
#include "report/annotations.h"
#include "report/json.h"
#include "report/junit.h"
#include "report/sarif.h"
#include "report/suite.h"
#include "report/text.h"

static bool is_output(const char *path)
{
    return path && !strcmp(path, "-");
}

const char *reports_trouble(const struct reports *r)
{
    int outputs = is_output(r->json_path) + is_output(r->sarif_path) + is_output(r->junit_path);
    if (is_output(r->baseline_path))
        return "a baseline goes to a file, not to standard output";
    if (outputs > 1)
        return "only one report can go to standard output";
    return outputs && r->annotations ? "--annotations go to standard output, where another report goes" : NULL;
}

void reports_begin(struct reports *r, bool several)
{
    r->several = several;
    r->quiet = is_output(r->json_path) || is_output(r->sarif_path) || is_output(r->junit_path);
    r->json = r->json_path ? json_report_new() : NULL;
    r->sarif = r->sarif_path ? sarif_new() : NULL;
    r->junit = r->junit_path ? junit_new() : NULL;
    if (r->annotations) {
        r->below = open_memstream(&r->below_text, &r->below_size);
        require(r->below);
    }
    r->text = several && !r->quiet ? suite_text_new(stdout, r->colour) : NULL;
}

void reports_file(struct reports *r, const char *file, size_t width)
{
    if (r->text)
        suite_text_file(r->text, file, width);
}

void reports_add(struct reports *r, const struct report_summary *summary)
{
    r->count[report_verdict_of(summary)]++;
    r->executions += summary->job ? summary->job->executions : 0;
    r->seconds += summary->seconds;
    if (r->text)
        suite_text_add(r->text, summary);
    else if (!r->quiet)
        report_text(stdout, summary, r->colour);
    if (r->annotations)
        report_annotations(r->below, summary);
    if (r->json)
        json_report_add(r->json, summary, r->several);
    if (r->sarif)
        sarif_add(r->sarif, summary);
    if (r->junit)
        junit_add(r->junit, summary);
}

static enum report_verdict worst(const struct reports *r)
{
    enum report_verdict verdict = REPORT_VERDICTS - 1;
    while (verdict > VERDICT_VERIFIED && !r->count[verdict])
        verdict--;
    return verdict;
}

static int cannot_write(const char *path)
{
    fprintf(stderr, "heddle: %s cannot be written: %s\n", path, strerror(errno));
    return 2;
}

static int write_json(void *report, FILE *file, const struct report_end *end)
{
    return json_report_write(report, file, end);
}

static int write_sarif(void *report, FILE *file, const struct report_end *end)
{
    return sarif_write(report, file, end);
}

static int write_junit(void *report, FILE *file, const struct report_end *end)
{
    return junit_write(report, file, end);
}

static int write_baseline(void *report, FILE *file, const struct report_end *end)
{
    (void)end;
    return tolerance_write_baseline(report, file);
}

static int write_one(const char *path, void *report, int (*write)(void *, FILE *, const struct report_end *),
                     const struct report_end *end)
{
    if (!path)
        return 0;
    FILE *file = is_output(path) ? stdout : fopen(path, "w");
    if (!file)
        return cannot_write(path);
    int wrong = write(report, file, end);
    wrong |= file != stdout && fclose(file);
    return wrong ? cannot_write(path) : 0;
}

static const char **unused_of(const struct reports *r, size_t *count)
{
    const char **list = NULL, *one;
    size_t at = 0, room = 0;
    *count = 0;
    while (r->tolerance && (one = tolerance_unused(r->tolerance, &at))) {
        list = buffer_grow(list, *count, &room, sizeof *list);
        list[(*count)++] = one;
    }
    return list;
}

static void print_annotations(struct reports *r)
{
    if (!r->below)
        return;
    require(!fclose(r->below));
    fwrite(r->below_text, 1, r->below_size, stdout);
    free(r->below_text);
}

static int write_all(struct reports *r, const struct report_end *end)
{
    int status = write_one(r->json_path, r->json, write_json, end);
    status |= write_one(r->sarif_path, r->sarif, write_sarif, end);
    status |= write_one(r->junit_path, r->junit, write_junit, end);
    return status | write_one(r->baseline_path, r->tolerance, write_baseline, end);
}

int reports_end(struct reports *r)
{
    struct report_end end = {.several = r->several,
                             .verdict = report_verdicts[worst(r)],
                             .executions = r->executions,
                             .seconds = r->seconds,
                             .unseen = r->tolerance ? tolerance_unseen(r->tolerance) : 0,
                             .heddle = HEDDLE_VERSION};
    const char **unused = unused_of(r, &end.unused_count);
    end.unused = unused;
    memcpy(end.count, r->count, sizeof end.count);
    if (r->text)
        suite_text_end(r->text, &end);
    else if (!r->quiet)
        suite_text_unneeded(stdout, &end);
    print_annotations(r);
    int status = write_all(r, &end) ? 2 : report_status(worst(r));
    if ((fflush(stdout) || ferror(stdout)) && errno != EPIPE) { // whoever closed the pipe knows
        fprintf(stderr, "heddle: the report cannot be written: %s\n", strerror(errno));
        status = 2;
    }
    free(unused);
    return status;
}
