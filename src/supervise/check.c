#include "supervise/check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/version.h"
#include "report/json.h"
#include "report/symbols.h"
#include "report/text.h"
#include "supervise/explain.h"

enum { TEXT = 512, PLACE = 256 };

// What is kept while the report is made.
struct findings {
    size_t count;
    struct explanation *explanations;
    struct report_bug *bugs;
    char (*paths)[TEXT];  // of schedules
    char (*traces)[TEXT]; // of recorded runs
    char **outputs;
};

static char *read_whole(int fd)
{
    struct stat st;
    if (fstat(fd, &st) || st.st_size <= 0)
        return NULL;
    size_t size = (size_t)st.st_size < 65536 ? (size_t)st.st_size : 65536;
    char *text = malloc(size + 1);
    ssize_t n = pread(fd, text, size, 0);
    text[n > 0 ? n : 0] = 0;
    return text;
}

static void name_schedule(const struct check *check, size_t which, const char *kind, char *path)
{
    const char *base = strrchr(check->name, '/');
    base = base ? base + 1 : check->name;
    size_t length = strlen(base);
    const char *dot = strrchr(base, '.');
    if (dot && dot > base)
        length = (size_t)(dot - base);
    if (check->schedule_path && !which)
        snprintf(path, TEXT, "%s", check->schedule_path);
    else if (!which)
        snprintf(path, TEXT, "%.*s.%s.hd", (int)length, base, kind);
    else
        snprintf(path, TEXT, "%.*s.%s-%zu.hd", (int)length, base, kind, which + 1);
}

static bool keep_schedule(const struct check *check, const struct explanation *e, const char *path)
{
    struct schedule s = check->origin;
    const struct job *job = check->job;
    s.bug = (char *)(uintptr_t)bug_names[e->bug.bug.kind];
    s.reuse = job->reuse;
    s.spurious = job->spurious;
    s.leaks = job->leaks;
    s.races = e->bug.bug.kind == BUG_RACE && job->races == RACES_EXPLORE ? RACES_REPORT : job->races;
    s.unlock_visible = job->unlock_visible;
    s.merged_count = job->merged_count;
    memcpy(s.merged, job->merged, sizeof s.merged);
    s.racy_count = e->bug.racy;
    memcpy(s.racy, job->racy, sizeof s.racy);
    s.threads = job->threads;
    for (uint32_t i = 0; i < job->threads; i++) {
        s.thread[i].parent = job->thread[i].parent;
        s.thread[i].number = job->thread[i].number;
    }
    s.steps = e->bug.steps;
    s.step = e->steps;
    FILE *file = fopen(path, "w");
    bool good = file && !schedule_write(file, &s);
    good &= file && !fclose(file);
    if (!good)
        fprintf(stderr, "heddle: the schedule cannot be kept in %s: %s\n", path, strerror(errno));
    return good;
}

static char *temporary(char *path)
{
    const char *dir = getenv("TMPDIR");
    snprintf(path, TEXT, "%s/heddle-XXXXXX", dir && *dir ? dir : "/tmp");
    int fd = mkstemp(path);
    if (fd >= 0)
        close(fd);
    return path;
}

static void explain_one(struct check *check, struct findings *f, uint32_t which, double seconds)
{
    size_t i = f->count++;
    struct explanation *e = &f->explanations[i];
    explain_bug(&check->subject, check->job, which, seconds, e);
    char output_path[TEXT];
    int output = open(temporary(output_path), O_RDWR);
    bool recorded = explain_record(&check->subject, check->job, e, temporary(f->traces[i]), output);
    f->outputs[i] = output >= 0 ? read_whole(output) : NULL;
    close(output);
    unlink(output_path);
    name_schedule(check, i, bug_names[e->bug.bug.kind], f->paths[i]);
    bool kept = keep_schedule(check, e, f->paths[i]);
    f->bugs[i] = (struct report_bug){.bug = &e->bug,
                                     .trace_path = recorded ? f->traces[i] : NULL,
                                     .schedule_path = kept ? f->paths[i] : NULL,
                                     .preemptions = e->preemptions,
                                     .minimal = e->minimal,
                                     .decisive = e->decisive,
                                     .decisive_event = e->decisive_event,
                                     .output = f->outputs[i]};
}

static void explain_all(struct check *check, struct findings *f)
{
    uint32_t n = check->job->bugs;
    f->explanations = calloc(n + 1, sizeof *f->explanations);
    f->bugs = calloc(n + 1, sizeof *f->bugs);
    f->paths = calloc(n + 1, sizeof *f->paths);
    f->traces = calloc(n + 1, sizeof *f->traces);
    f->outputs = calloc(n + 1, sizeof *f->outputs);
    for (uint32_t i = 0; i < n; i++)
        explain_one(check, f, i, check->explain_seconds / n);
}

static void forget_findings(struct findings *f)
{
    for (size_t i = 0; i < f->count; i++) {
        unlink(f->traces[i]);
        free(f->outputs[i]);
        free(f->explanations[i].steps);
    }
    free(f->explanations);
    free(f->bugs);
    free(f->paths);
    free(f->traces);
    free(f->outputs);
}

// Where an execution was cut or got stuck, as far as the program's symbols tell.
static void name_place(const struct check *check, char *text)
{
    struct symbols *symbols = symbols_new();
    struct symbols_place place;
    bool known = symbols_add(symbols, check->subject.program, 0) &&
                 symbols_places(symbols, check->job->cut_pc, &place, 1) && place.file;
    if (known)
        snprintf(text, PLACE, "%s:%d", place.file, (int)place.line);
    else
        snprintf(text, PLACE, "0x%llx", (unsigned long long)check->job->cut_pc);
    symbols_free(symbols);
}

static const char *why_incomplete(const struct check *check, char *text)
{
    const struct job *job = check->job;
    char place[PLACE] = "";
    if (job->cut_pc)
        name_place(check, place);
    if (job->bare)
        return "this was a benchmark of one execution";
    switch ((enum job_end)job->end) {
    case JOB_EXECUTIONS:
        snprintf(text, TEXT, "the bound of %llu executions was reached", (unsigned long long)job->max_executions);
        return text;
    case JOB_TIME: snprintf(text, TEXT, "the time of %g seconds was over", job->seconds); return text;
    case JOB_INTERRUPTED: return "it was interrupted";
    case JOB_UNSUPPORTED:
    case JOB_DIVERGED: return job->reason;
    case JOB_STUCK:
        snprintf(text, TEXT, "a thread runs on for ever without a visible operation, at %s", place);
        return text;
    default: break;
    }
    if (job->cut) {
        snprintf(text, TEXT, "%llu executions were cut after %u events (--max-steps), in a loop at %s",
                 (unsigned long long)job->cut, job->max_steps, place);
        return text;
    }
    if (job->preemptions != NO_BOUND) {
        snprintf(text, TEXT, "only runs with at most %u preemptions were covered", job->preemptions);
        return text;
    }
    if (!strcmp(job->strategy, "random"))
        return "random runs do not cover everything";
    return NULL;
}

static size_t list_assumptions(const struct job *job, const char **list)
{
    static char woken[64];
    size_t n = 0;
    snprintf(woken, sizeof woken, "each thread has at most %u spurious wake-up%s", job->spurious,
             job->spurious == 1 ? "" : "s");
    list[n++] = "memory is sequentially consistent";
    list[n++] = job->spurious ? woken : "condition variables have no spurious wake-ups";
    list[n++] = "inline assembly and code that was not compiled by heddle cc are not seen";
    if (job->races == RACES_OFF)
        list[n++] = "data races were not looked for";
    for (uint32_t i = 0; i < job->notes; i++)
        list[n++] = job->note[i];
    return n;
}

static int write_json(const char *path, const struct report_summary *summary)
{
    FILE *file = strcmp(path, "-") ? fopen(path, "w") : stdout;
    if (!file || report_json(file, summary) || (file != stdout && fclose(file))) {
        fprintf(stderr, "heddle: %s cannot be written: %s\n", path, strerror(errno));
        return 2;
    }
    return 0;
}

int check_run(struct check *check)
{
    char reason[TEXT];
    const char *assumptions[JOB_NOTES + 8];
    struct findings findings = {0};
    if (run_job(&check->subject, check->job, -1))
        return 2;
    explain_all(check, &findings);
    const char *why = check->job->bugs ? NULL : why_incomplete(check, reason);
    struct report_summary summary = {.program = check->name,
                                     .verdict = check->job->bugs ? "bug" : why ? "incomplete" : "verified",
                                     .job = check->job,
                                     .reason = why ? why : why_incomplete(check, reason),
                                     .assumptions = assumptions,
                                     .assumption_count = list_assumptions(check->job, assumptions),
                                     .bugs = findings.bugs,
                                     .bug_count = findings.count,
                                     .seconds = check->job->run_seconds,
                                     .heddle = HEDDLE_VERSION};
    if (!check->quiet)
        report_text(stdout, &summary, check->colour);
    int status = check->job->bugs ? 1 : why ? 3 : 0;
    if (check->json_path && write_json(check->json_path, &summary))
        status = 2;
    if ((fflush(stdout) || ferror(stdout)) && errno != EPIPE) { // whoever closed the pipe knows
        fprintf(stderr, "heddle: the report cannot be written: %s\n", strerror(errno));
        status = 2;
    }
    forget_findings(&findings);
    return status;
}
