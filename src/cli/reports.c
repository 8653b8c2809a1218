#include "cli/reports.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/version.h"
#include "base/whole_file.h"

static bool is_output(const char *path)
{
    return path && !strcmp(path, "-");
}

static int count_outputs(const struct reports *r)
{
    int outputs = 0;
    for (int i = 0; i < REPORT_FORMATS; i++)
        outputs += is_output(r->path[i]);
    return outputs;
}

const char *reports_trouble(const struct reports *r)
{
    static char text[128];
    if (is_output(r->baseline_path))
        return "a baseline goes to a file, not to standard output";
    if (count_outputs(r) > 1)
        return "only one report can go to standard output";
    for (int i = 0; i < REPORT_FORMATS; i++) {
        if (!r->wanted[i] || report_formats[i]->goes != REPORT_BELOW_TEXT || !count_outputs(r))
            continue;
        snprintf(text, sizeof text, "--%s go to standard output, where another report goes", report_formats[i]->option);
        return text;
    }
    return NULL;
}

void reports_begin(struct reports *r, bool several)
{
    struct report_setting setting = {.several = several, .colour = r->colour, .text = stdout};
    r->several = several;
    for (int i = 0; i < REPORT_FORMATS; i++)
        if (report_formats[i]->goes == REPORT_IS_TEXT ? !count_outputs(r) : r->wanted[i])
            r->report[i] = report_formats[i]->begin(&setting);
}

void reports_file(struct reports *r, const char *file, size_t width)
{
    for (int i = 0; i < REPORT_FORMATS; i++)
        if (r->report[i] && report_formats[i]->file)
            report_formats[i]->file(r->report[i], file, width);
}

void reports_add(struct reports *r, const struct report_summary *summary)
{
    r->count[report_verdict_of(summary)]++;
    r->executions += summary->job ? summary->job->answer.counts.executions : 0;
    r->seconds += summary->seconds;
    for (int i = 0; i < REPORT_FORMATS; i++)
        if (r->report[i])
            report_formats[i]->add(r->report[i], summary);
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

static int write_baseline(void *report, FILE *file, const struct report_end *end)
{
    (void)end;
    return tolerance_write_baseline(report, file);
}

static int write_one(const char *path, void *report, int (*write)(void *, FILE *, const struct report_end *),
                     const struct report_end *end)
{
    struct whole_file file;
    if (whole_file_or_output(&file, path) && !whole_file_close(&file, !write(report, file.out, end)))
        return 0;
    return cannot_write(path);
}

static const char **unused_of(const struct reports *r, size_t *count)
{
    const char **list = NULL, *one;
    size_t at = 0, room = 0;
    *count = 0;
    while (r->tolerance && (one = tolerance_unused(r->tolerance, &at))) {
        list = alloc_grow(list, *count, &room, sizeof *list);
        list[(*count)++] = one;
    }
    return list;
}

// The text first, then what stands below it, then files. What goes to standard output is looked at when everything is over.
static int end_all(struct reports *r, const struct report_end *end)
{
    int status = 0;
    for (enum report_goes goes = REPORT_IS_TEXT; goes <= REPORT_TO_FILE; goes++)
        for (int i = 0; i < REPORT_FORMATS; i++) {
            if (!r->report[i] || report_formats[i]->goes != goes)
                continue;
            if (goes == REPORT_TO_FILE)
                status |= write_one(r->path[i], r->report[i], report_formats[i]->end, end);
            else
                report_formats[i]->end(r->report[i], stdout, end);
        }
    return r->baseline_path ? status | write_one(r->baseline_path, r->tolerance, write_baseline, end) : status;
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
    int status = end_all(r, &end) ? 2 : report_status(worst(r));
    if ((fflush(stdout) || ferror(stdout)) && errno != EPIPE) { // whoever closed the pipe knows
        fprintf(stderr, "heddle: the report cannot be written: %s\n", strerror(errno));
        status = 2;
    }
    free(unused);
    return status;
}
