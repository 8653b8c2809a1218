#include "supervise/gdb.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "model/framework.h"
#include "report/finding.h"
#include "supervise/gdb_commands.h"
#include "supervise/workplace.h"

bool gdb_is_there(void)
{
    const char *from = getenv("PATH");
    char path[4096];
    while (from && *from) {
        size_t length = strcspn(from, ":");
        snprintf(path, sizeof path, "%.*s%sgdb", (int)length, from, length ? "/" : "");
        if (!access(path, X_OK))
            return true;
        from += length + (from[length] == ':');
    }
    return false;
}

// For the program, and not for the shell by which gdb starts it.
static void set_preload(FILE *file, const char *runtime)
{
    struct buffer list = {0};
    run_preload(runtime, &list);
    fprintf(file, "set exec-wrapper env LD_PRELOAD='%s'\n", buffer_text(&list));
    buffer_free(&list);
}

// What gdb reads first. It lives as long as this process, and so does the job, which every `run` finds by its path.
static int write_script(const struct subject *subject, const struct job *job)
{
    int fd = memfd_create("heddle-gdb", 0);
    FILE *file = fd < 0 ? NULL : fdopen(dup(fd), "w");
    if (!file)
        return -1;
    if (subject->preload)
        set_preload(file, subject->preload);
    if (job->task.rules.openmp_threads)
        fprintf(file, "set environment OMP_NUM_THREADS %u\n", job->task.rules.openmp_threads);
    if (job->task.rules.framework)
        fprintf(file, "set environment " FRAMEWORK_VARIABLE " %s\n", framework_traits(job->task.rules.framework)->name);
    if (job->task.outside.test[0])
        fprintf(file, "set environment " FRAMEWORK_TEST_VARIABLE " %s\n", job->task.outside.test);
    fprintf(file, "set environment " JOB_VARIABLE " /proc/%d/fd/%d\n", (int)getpid(), job_fd(job));
    fputs(gdb_commands, file);
    bool good = !ferror(file);
    return fclose(file) || !good ? -1 : fd;
}

// The failure to stop at, in the words of the report.
static void gdb_describe(struct job *job, const struct job_bug *bug, const char *trace)
{
    struct report_bug shown = {.bug = bug, .trace_path = trace};
    struct report_summary summary = {.job = job};
    struct finding finding;
    struct buffer sentence = {0};
    finding_open(&finding, &summary, &shown);
    finding_sentence(&finding, &sentence);
    job->task.expected = bug->bug;
    snprintf(job->task.expected.text, sizeof job->task.expected.text, "%s", buffer_text(&sentence));
    buffer_free(&sentence);
    finding_close(&finding);
}

// The answer of the run before goes; what that one learnt about the program stays.
void gdb_expect(struct job *job, const struct job_bug *bug, const char *trace)
{
    gdb_describe(job, bug, trace);
    job->task.real = 1;
    job->answer.end = JOB_RUNNING;
    job->answer.bugs = 0;
    job->steps_used = job->task.prefix_steps;
}

static size_t gdb_count(char *const *words)
{
    size_t n = 0;
    while (words && words[n])
        n++;
    return n;
}

static _Noreturn void become_gdb(const struct subject *subject, const struct job *job, const char *script,
                                 char *const *arguments)
{
    static char program[PATH_MAX];
    if (!realpath(subject->program, program))
        _exit(127);
    workplace_enter(job);
    size_t given = gdb_count(arguments), own = gdb_count(subject->arguments), n = 0;
    char **argv = alloc_zeroed(given + own + 8, sizeof *argv);
    const char *const first[] = {"gdb", "-q", "-x", script};
    for (; n < sizeof first / sizeof *first; n++)
        argv[n] = (char *)(uintptr_t)first[n];
    for (size_t i = 0; i < given; i++)
        argv[n++] = arguments[i];
    argv[n++] = (char *)(uintptr_t) "--args";
    argv[n++] = program;
    for (size_t i = 0; i < own; i++)
        argv[n++] = subject->arguments[i];
    prctl(PR_SET_PDEATHSIG, SIGTERM); // the job is gone when heddle is
    personality(ADDR_NO_RANDOMIZE);   // helps where it is allowed; nothing relies on it
    execvp("gdb", argv);
    _exit(127);
}

int gdb_run(const struct subject *subject, struct job *job, char *const *arguments)
{
    char script[64];
    int status = 0, fd = write_script(subject, job);
    job->task.trace_fd = -1; // what gdb shows need not be recorded
    snprintf(script, sizeof script, "/proc/%d/fd/%d", (int)getpid(), fd);
    fflush(stdout);
    const char *trouble = workplace_prepare(job);
    if (trouble) {
        fprintf(stderr, "heddle replay: %s\n", trouble);
        return 2;
    }
    pid_t gdb = fd < 0 ? -1 : fork();
    if (!gdb)
        become_gdb(subject, job, script, arguments);
    if (gdb < 0) {
        fprintf(stderr, "heddle replay: gdb cannot be started: %s\n", strerror(errno));
        return 2;
    }
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before; // Ctrl-C is for gdb
    sigaction(SIGINT, &ignore, &before);
    while (waitpid(gdb, &status, 0) < 0 && errno == EINTR)
        if (run_interrupted())
            kill(gdb, SIGTERM);
    sigaction(SIGINT, &before, NULL);
    workplace_leave(job);
    close(fd);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 127)
        return 0;
    fprintf(stderr, "heddle replay: gdb cannot be started\n");
    return 2;
}
