// heddle replay: a failing execution again, exactly as it was.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/version.h"
#include "cli/commands.h"
#include "cli/misuse.h"
#include "cli/source.h"
#include "report/identity.h"
#include "report/text.h"
#include "supervise/explain.h"
#include "supervise/schedule.h"
#include "supervise/subject.h"

// A path that leads nowhere from here is tried from where the schedule is: that is where the check ran.
static void beside(char **path, const char *schedule)
{
    const char *slash = strrchr(schedule, '/');
    if (!slash || **path == '/' || !access(*path, R_OK))
        return;
    char *other = malloc((size_t)(slash - schedule) + strlen(*path) + 2);
    sprintf(other, "%.*s/%s", (int)(slash - schedule), schedule, *path);
    if (!access(other, R_OK)) {
        free(*path);
        *path = other;
    } else {
        free(other);
    }
}

static int cannot_use(const char *file, const char *role, const char *path, const char *why)
{
    struct buffer text = {0};
    buffer_add(&text, "its %s %s %s", role, path, why);
    misuse_of_file("replay", file, text.text);
    buffer_free(&text);
    return 2;
}

static int find_program(const struct schedule *s, const char *file, const char **program)
{
    if (s->program) {
        beside((char **)(uintptr_t)&s->program, file);
        const char *trouble = access(s->program, R_OK) ? "cannot be read" : subject_trouble(s->program);
        *program = s->program;
        return trouble ? cannot_use(file, "program", s->program, trouble) : 0;
    }
    for (char **source = (char **)(uintptr_t)s->sources; *source; source++) {
        beside(source, file);
        if (access(*source, R_OK))
            return cannot_use(file, "source", *source, "cannot be read from here");
    }
    if (!s->sources[0])
        return misuse_of_file("replay", file, "the schedule names no program");
    return source_build((const char *const *)s->sources, (const char *const *)s->flags, program);
}

static struct job *job_of(const struct schedule *s)
{
    struct job *job = job_new();
    job->reuse = s->reuse;
    job->spurious = s->spurious;
    job->leaks = s->leaks;
    job->races = s->races;
    job->tell_apart = s->fingerprint != 0;
    job->unlock_visible = s->unlock_visible;
    job->merged_count = s->merged_count;
    memcpy(job->merged, s->merged, sizeof job->merged);
    job->racy_count = s->racy_count;
    memcpy(job->racy, s->racy, sizeof job->racy);
    job->threads = s->threads;
    for (uint32_t i = 1; i < s->threads; i++)
        job->thread[i] = (struct job_thread){s->thread[i].parent, s->thread[i].number};
    if (s->steps > job->max_steps)
        job->max_steps = s->steps;
    return job;
}

static uint64_t fingerprint_of(const struct job *job, const struct job_bug *bug, const char *trace, const char *test)
{
    struct finding f;
    struct identity id;
    finding_open(&f, &(struct report_summary){.job = job}, &(struct report_bug){.bug = bug, .trace_path = trace});
    identity_make(&id, &f, test);
    uint64_t fingerprint = id.fingerprint;
    identity_free(&id);
    finding_close(&f);
    return fingerprint;
}

// The bug that the schedule was kept for: the very one if it can be told, otherwise the first of its kind.
static bool find_bug(const struct job *job, const struct schedule *s, const char *trace, struct job_bug *bug)
{
    const char *test = s->arguments[0] && !strcmp(s->arguments[0], "--test") ? s->arguments[1] : NULL;
    bool found = false;
    for (uint32_t i = 0; i < job->bugs; i++) {
        if (s->bug && strcmp(bug_names[job->bug[i].bug.kind], s->bug))
            continue;
        bool same = s->fingerprint && fingerprint_of(job, &job->bug[i], trace, test) == s->fingerprint;
        if (same || !found)
            *bug = job->bug[i];
        found = true;
        if (same)
            break;
    }
    return found;
}

static void show_output(const char *path)
{
    FILE *file = fopen(path, "r");
    char buffer[4096];
    size_t n;
    while (file && (n = fread(buffer, 1, sizeof buffer, file)))
        fwrite(buffer, 1, n, stdout);
    if (file)
        fclose(file);
}

enum { PATH = 512 };

static int temporary(char *path)
{
    const char *dir = getenv("TMPDIR");
    snprintf(path, PATH, "%s/heddle-XXXXXX", dir && *dir ? dir : "/tmp");
    return mkstemp(path);
}

// Why the run is not the one of the schedule, or null.
static const char *departure(const struct job *job, char *text, size_t room)
{
    if (job->end == JOB_UNSUPPORTED || job->end == JOB_DIVERGED)
        return job->reason;
    if (job->end == JOB_STUCK)
        return "a thread runs on for ever";
    if (!job->redundant)
        return NULL;
    snprintf(text, room, "the program leaves the schedule at event %llu", (unsigned long long)job->redundant - 1);
    return text;
}

// Runs the schedule once, recorded, and reports.
static int replay(const char *file, const struct schedule *s, const struct subject *subject)
{
    char trace[PATH], output[PATH];
    struct job *job = job_of(s);
    struct job_bug bug;
    char why[PATH];
    int output_fd = temporary(output);
    job->trace_fd = temporary(trace);
    strcpy(job->strategy, "replay");
    memcpy(job->steps, s->step, s->steps * sizeof *s->step);
    job->prefix_steps = s->steps;
    job->keep_going = 1;
    int status = run_job(subject, job, output_fd);
    if (!status && find_bug(job, s, trace, &bug)) {
        struct report_bug shown = {.bug = &bug,
                                   .trace_path = trace,
                                   .schedule_path = file,
                                   .preemptions = job->preemptions_seen,
                                   .decisive = DECISIVE_UNKNOWN};
        struct report_summary summary = {.program = s->program ? s->program : s->sources[0],
                                         .verdict = "bug",
                                         .job = job,
                                         .bugs = &shown,
                                         .bug_count = 1,
                                         .seconds = job->run_seconds,
                                         .heddle = HEDDLE_VERSION};
        const char *no = getenv("NO_COLOR");
        show_output(output);
        report_text(stdout, &summary, isatty(STDOUT_FILENO) && !(no && *no));
        status = 1;
    } else if (!status && departure(job, why, sizeof why)) {
        show_output(output);
        printf("%s: %s\n", file, departure(job, why, sizeof why));
        status = 3;
    } else if (!status) {
        show_output(output);
        printf("%s: the run no longer fails with %s\n", file, s->bug ? s->bug : "a bug");
    }
    close(output_fd);
    close(job->trace_fd);
    unlink(trace);
    unlink(output);
    job_free(job);
    return status;
}

int cli_replay(int argc, char **argv)
{
    struct schedule s;
    if (argc != 2 || argv[1][0] == '-') {
        bool help = argc == 2 && !strcmp(argv[1], "--help");
        fputs("usage: heddle replay FILE.hd\n", help ? stdout : stderr);
        return help ? 0 : 2;
    }
    FILE *file = fopen(argv[1], "r");
    if (!file)
        return misuse_of_file("replay", argv[1], strerror(errno));
    const char *wrong = schedule_read(file, &s);
    fclose(file);
    if (wrong)
        return misuse_of_file("replay", argv[1], wrong);
    const char *program = NULL;
    int status = find_program(&s, argv[1], &program);
    if (!status)
        status = replay(argv[1], &s, &(struct subject){.program = program, .arguments = s.arguments});
    source_clean();
    schedule_free(&s);
    return status;
}
