// heddle replay: a failing execution again, exactly as it was.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/scratch.h"
#include "base/version.h"
#include "build/source.h"
#include "cli/commands.h"
#include "cli/inject_repeat.h"
#include "cli/misuse.h"
#include "report/report_text.h"
#include "supervise/again.h"
#include "supervise/executable.h"
#include "supervise/gdb.h"
#include "supervise/lin_object.h"
#include "supervise/rerun.h"
#include "trace/recording_controlled.h"

// A path that leads nowhere from here is tried from where the schedule is: that is where the check ran.
static void beside(char **path, const char *schedule)
{
    const char *slash = strrchr(schedule, '/');
    if (!slash || **path == '/' || !access(*path, R_OK))
        return;
    char *other = alloc_format("%.*s/%s", (int)(slash - schedule), schedule, *path);
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

static int find_program(const struct schedule *s, const char *file, struct subject *subject)
{
    if (s->program) {
        beside((char **)(uintptr_t)&s->program, file);
        // NOLINTNEXTLINE(clang-analyzer-unix.Malloc): the schedule owns the path
        const char *trouble =
            access(s->program, R_OK) ? "cannot be read" : executable_trouble(s->program, &subject->preload);
        subject->program = s->program;
        return trouble ? cannot_use(file, "program", s->program, trouble) : 0;
    }
    for (char **source = (char **)(uintptr_t)s->sources; *source; source++) {
        beside(source, file);
        if (access(*source, R_OK))
            return cannot_use(file, "source", *source, "cannot be read from here");
    }
    if (!s->sources[0])
        return misuse_of_file("replay", file, "the schedule names no program");
    return source_build((const char *const *)s->sources, (const char *const *)s->flags, SOURCE_WITHOUT_MAIN,
                        &subject->program);
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

enum { PATH = 4096 + 32 };

// Why the run says nothing at all, or null.
static const char *trouble(const struct job *job)
{
    if (job->answer.end == JOB_UNSUPPORTED || job->answer.end == JOB_DIVERGED)
        return job->answer.reason;
    return job->answer.end == JOB_STUCK ? "a thread runs on for ever" : NULL;
}

// What came after it in the same run.
static void add_followers(const struct job *job, const struct rerun *r, struct report_bug *shown)
{
    size_t room = 0;
    for (uint32_t i = 0; i < job->answer.bugs; i++) {
        if (!(job->answer.bug[i].after[r->which / 64] >> (r->which % 64) & 1))
            continue;
        shown->followers = alloc_grow(shown->followers, shown->follower_count, &room, sizeof *shown->followers);
        shown->followers[shown->follower_count++] =
            (struct report_bug){.bug = &job->answer.bug[i], .trace_path = shown->trace_path};
    }
}

// Of the run that was seen; it may need to be run once more for that (supervise/again.h).
static uint32_t preemptions_of(const struct schedule *s, const struct subject *subject, const struct job *job,
                               const struct rerun *r)
{
    struct explanation e = {.bug = r->bug, .steps = s->step};
    uint32_t preemptions;
    e.bug.steps = s->steps;
    e.bug.racy = job->learnt.racy_count;
    e.bug.turns = s->turns;
    e.bug.unlocks = s->unlock_visible;
    return again_count(subject, job, &e, &preemptions) ? preemptions : job->answer.preemptions_seen;
}

static bool whole_stacks;     // --stacks
static const char *recording; // --trace: where the run is written to

static void show_bug(const char *file, const struct schedule *s, const struct subject *subject, const struct job *job,
                     const struct rerun *r, const char *trace)
{
    struct report_bug shown = {.bug = &r->bug,
                               .trace_path = trace,
                               .schedule_path = file,
                               .preemptions = preemptions_of(s, subject, job, r),
                               .unshrunk = true,
                               .decisive = DECISIVE_UNKNOWN};
    struct report_summary summary = {.program = s->program ? s->program : s->sources[0],
                                     .verdict = "bug",
                                     .job = job,
                                     .bugs = &shown,
                                     .bug_count = 1,
                                     .stacks = whole_stacks,
                                     .seconds = job->answer.run_seconds,
                                     .heddle = HEDDLE_VERSION};
    const char *no = getenv("NO_COLOR");
    add_followers(job, r, &shown);
    report_text(stdout, &summary, isatty(STDOUT_FILENO) && !(no && *no));
    free(shown.followers);
}

static int report(const char *file, const struct schedule *s, const struct subject *subject, struct job *job,
                  const char *trace, char *const *gdb)
{
    struct rerun r;
    rerun_judge(s, subject->program, job, trace, &r);
    bool fails = r.verdict == RERUN_STILL_FAILS || r.verdict == RERUN_FAILS_DIFFERENTLY;
    int status = rerun_status(r.verdict);
    if (fails) {
        show_bug(file, s, subject, job, &r, trace);
        if (gdb)
            gdb_expect(job, &r.bug, trace);
    } else if (trouble(job)) {
        buffer_cut(&r.words, 0);
        buffer_add(&r.words, "%s", trouble(job));
        status = 3;
    }
    printf("%s%s: %s%s\n", fails ? "\n" : "", file, buffer_text(&r.words),
           r.rebuilt ? " (the program was rebuilt since)" : "");
    buffer_free(&r.words);
    return status;
}

// Writes the run that was seen as a recording for heddle trace and heddle predict.
static int write_recording(const struct schedule *s, const struct subject *subject, const char *trace)
{
    char *wrong = NULL;
    bool built = s->sources[0];
    const struct recording_origin origin = {.program = subject->program,
                                            .sources = built ? (const char *const *)s->sources : NULL,
                                            .flags = built ? (const char *const *)s->flags : NULL,
                                            .arguments = (const char *const *)s->arguments};
    if (recording_of_trace(trace, &origin, recording, &wrong))
        return 0;
    misuse_of_file("replay", recording, wrong);
    free(wrong);
    return 2;
}

// Runs the schedule once, recorded, and reports; then, if it failed and `gdb` is not null, again under gdb with these
// arguments.
static int replay(const char *file, const struct schedule *s, const struct subject *subject, char *const *gdb)
{
    char trace[PATH], output[PATH];
    struct job *job = rerun_job(s, subject->program);
    char why[PATH];
    const char *wrong = s->client ? lin_choose(subject, job, s->client, why, sizeof why) : NULL;
    if (wrong) {
        job_free(job);
        return misuse_of_file("replay", file, wrong);
    }
    int output_fd = scratch_file(output, sizeof output);
    job->task.trace_fd = scratch_file(trace, sizeof trace);
    int status = run_job(subject, job, output_fd);
    if (!status) {
        show_output(output);
        status = report(file, s, subject, job, trace, gdb);
        if (recording && write_recording(s, subject, trace))
            status = 2;
    }
    close(output_fd);
    close(job->task.trace_fd);
    unlink(trace);
    unlink(output);
    scratch_tidy();
    if (job->task.real && gdb_run(subject, job, gdb))
        status = 2;
    job_free(job);
    return status;
}

// Takes the options that may stand before or behind the file out of the arguments; returns how many are left.
static int take_options(int argc, char **argv)
{
    int left = 1, i = 1;
    for (; i < argc && strcmp(argv[i], "--"); i++) {
        if (!strcmp(argv[i], "--stacks"))
            whole_stacks = true;
        else if (!strcmp(argv[i], "--trace") && i + 1 < argc)
            recording = argv[++i];
        else
            argv[left++] = argv[i];
    }
    while (i < argc)
        argv[left++] = argv[i++];
    return left;
}

// The schedule named on the command line, or null if that is wrong. *gdb is where gdb's own arguments stand; it stays as
// it is without --gdb.
static const char *file_argument(int argc, char **argv, char ***gdb)
{
    bool asked = argc > 1 && !strcmp(argv[1], "--gdb");
    int at = asked ? 2 : 1;
    if (at >= argc || argv[at][0] == '-')
        return NULL;
    int rest = at + 1;
    if (asked && rest < argc && !strcmp(argv[rest], "--"))
        *gdb = argv + rest + 1;
    else if (rest != argc)
        return NULL;
    else if (asked)
        *gdb = argv + argc;
    return argv[at];
}

static const char usage[] =
    "usage: heddle replay [--stacks] [--trace FILE] FILE.hd | --gdb FILE.hd [-- GDB-ARGUMENT…]\n"
    "       heddle replay FAULT [OPTION…] PROGRAM [-- ARGUMENT…]\n"
    "       heddle replay SAVED NUMBER|FAULT\n";

// The file's first line begins like this.
static bool begins_with(const char *path, const char *words)
{
    char first[64] = "";
    FILE *file = fopen(path, "r");
    bool does = file && fgets(first, sizeof first, file) && !strncmp(first, words, strlen(words));
    if (file)
        fclose(file);
    return does;
}

static bool is_saved_campaign(int argc, char **argv)
{
    return (argc == 2 || argc == 3) && begins_with(argv[1], "heddle inject ");
}

int cli_replay(int argc, char **argv)
{
    struct schedule s;
    char **gdb = NULL;
    if (argc > 1 && inject_is_fault(argv[1]))
        return inject_replay_fault(argc - 1, argv + 1);
    if (is_saved_campaign(argc, argv))
        return inject_replay_saved(argv[1], argc > 2 ? argv[2] : NULL);
    argc = take_options(argc, argv);
    const char *name = file_argument(argc, argv, &gdb);
    if (!name) {
        bool help = argc == 2 && !strcmp(argv[1], "--help");
        if (help)
            fputs(usage, stdout);
        else
            fputs("usage: heddle replay FILE.hd | FAULT PROGRAM | SAVED NUMBER (heddle replay --help says more)\n",
                  stderr);
        return help ? 0 : 2;
    }
    if (gdb && !gdb_is_there())
        return misuse_of_file("replay", name, "--gdb needs gdb, which is not installed");
    if (begins_with(name, "heddle cluster ") && recording)
        return misuse_of_file("replay", name, "a cluster's schedule has no threads for --trace");
    if (begins_with(name, "heddle cluster "))
        return gdb ? misuse_of_file("replay", name, "a cluster's schedule has no threads for --gdb")
                   : cli_cluster_replay(name);
    FILE *file = fopen(name, "r");
    if (!file)
        return misuse_of_file("replay", name, strerror(errno));
    const char *wrong = schedule_read(file, &s);
    fclose(file);
    if (wrong)
        return misuse_of_file("replay", name, wrong);
    struct subject subject = {.arguments = s.arguments};
    int status = find_program(&s, name, &subject);
    if (!status)
        status = replay(name, &s, &subject, gdb);
    source_clean();
    schedule_free(&s);
    return status;
}
