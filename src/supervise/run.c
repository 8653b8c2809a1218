#include "supervise/run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "report/progress.h"
#include "supervise/scratch.h"
#include "supervise/watchdog.h"
#include "supervise/workplace.h"

// Status of a worker that found a broken invariant (base/fail.c), and of one in which nothing happens any more (on_tick).
enum { INTERNAL = 70, LOST = 71 };

enum { DEFAULT_STEPS = 20000, DEFAULT_DEPTH = 3, POLL_MS = 100, ASKED_POLL_MS = 4, LATE_MS = 1000, GRACE_MS = 3000 };

struct shared_job {
    int fd;
    struct job *job;
};

static struct shared_job shared[16];

bool run_interrupted(void)
{
    return interrupted();
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct job *job_new(void)
{
    int fd = memfd_create("heddle-job", MFD_CLOEXEC);
    struct job *job = MAP_FAILED;
    if (fd >= 0 && !ftruncate(fd, sizeof *job))
        job = mmap(NULL, sizeof *job, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (job == MAP_FAILED) {
        fprintf(stderr, "heddle: no shared memory for a worker: %s\n", strerror(errno));
        exit(2);
    }
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        if (!shared[i].job) {
            shared[i] = (struct shared_job){fd, job};
            break;
        }
    }
    job->magic = JOB_MAGIC;
    job->size = sizeof *job;
    job->strategy = STRATEGY_OPTIMAL;
    job->max_executions = UINT64_MAX;
    job->max_steps = DEFAULT_STEPS;
    job->preemptions = NO_BOUND;
    job->depth = DEFAULT_DEPTH;
    job->trace_fd = job->runs_fd = -1;
    job->share = share_unknown;
    job->threads = 1;
    return job;
}

void job_copy_task(struct job *job, const struct job *from)
{
    size_t first = offsetof(struct job, strategy), end = offsetof(struct job, trace_fd);
    memcpy((char *)job + first, (const char *)from + first, end - first);
}

int job_fd(const struct job *job)
{
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (shared[i].job == job)
            return shared[i].fd;
    return -1;
}

void job_free(struct job *job)
{
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        if (shared[i].job != job)
            continue;
        close(shared[i].fd);
        shared[i].job = NULL;
    }
    munmap(job, sizeof *job);
}

void run_preload(const char *runtime, struct buffer *list)
{
    const char *others = getenv("LD_PRELOAD");
    buffer_add(list, "%s", runtime);
    if (others && *others)
        buffer_add(list, ":%s", others);
}

static void put_in_front(const char *runtime)
{
    struct buffer list = {0};
    run_preload(runtime, &list);
    setenv("LD_PRELOAD", buffer_text(&list), 1);
}

static _Noreturn void become_worker(const struct subject *subject, const struct job *job, int output)
{
    char number[16], program[PATH_MAX];
    if (!realpath(subject->program, program))
        _exit(127);
    workplace_enter(job);
    snprintf(number, sizeof number, "%d", job_fd(job));
    setenv(JOB_VARIABLE, number, 1);
    setenv("LD_BIND_NOW", "1", 1);
    if (subject->preload)
        put_in_front(subject->preload);
    // Descriptors that it opens are to have the same numbers in every run: of heddle's own it gets only what it needs, and
    // moves that out of the way.
    fcntl(job_fd(job), F_SETFD, 0);
    if (output >= 0)
        fcntl(output, F_SETFD, FD_CLOEXEC);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(null, STDIN_FILENO);
    bool shows = output < 0 && subject->shows_output;
    dup2(output >= 0 ? output : shows ? STDERR_FILENO : null, STDOUT_FILENO);
    if (!getenv("HEDDLE_DEBUG") && !shows)
        dup2(output >= 0 ? output : null, STDERR_FILENO);
    signal(SIGINT, SIG_IGN); // a terminal sends it to all, and the supervisor says what to do
    prctl(PR_SET_PDEATHSIG, SIGKILL); // however the supervisor ends
    personality(ADDR_NO_RANDOMIZE); // helps where it is allowed; nothing relies on it
    size_t n = 0;
    while (subject->arguments && subject->arguments[n])
        n++;
    char **argv = calloc(n + 2, sizeof *argv);
    argv[0] = (char *)(uintptr_t)subject->program;
    for (size_t i = 0; i < n; i++)
        argv[i + 1] = subject->arguments[i];
    execv(program, argv);
    _exit(127);
}

static void give_up(struct job *job, const char *why)
{
    snprintf(job->reason, sizeof job->reason, "%s", why);
    job->end = JOB_UNSUPPORTED;
}

// What the program sends itself never arrives like that (target/threads/pthread/signals.c).
static bool is_from_outside(int number)
{
    return number == SIGKILL || number == SIGTERM || number == SIGHUP || number == SIGINT;
}

bool job_safer(struct job *job)
{
    bool possible = job->restart == RESTART_AUTO && !job->real && job->learnt.distrust < DISTRUST_MEMORY &&
                    job->restart_used != RESTART_FORK && job->restart_used != RESTART_CHECKPOINT;
    if (possible)
        job->learnt.distrust = job->restart_used == RESTART_UNDO ? DISTRUST_UNDO : DISTRUST_MEMORY;
    return possible;
}

// It was not the program that died. In another way to start executions again heddle may not.
static void bury_heddle(struct job *job)
{
    const struct death *d = &job->death;
    char place[64] = "in a library";
    if (d->place)
        snprintf(place, sizeof place, "at libheddle.so+0x%llx", (unsigned long long)d->place);
    if (job->trace_fd < 0 && job_safer(job)) {
        job->end = JOB_AGAIN;
        return;
    }
    snprintf(job->reason, sizeof job->reason,
             "heddle's own fault: it died of signal %u (%s) %s, address 0x%llx, unless the program has overwritten its memory", d->signal,
             strsignal((int)d->signal), place, (unsigned long long)d->address);
    job->end = JOB_UNSUPPORTED;
}

// The worker died: what it was doing is a finding, if it was the program.
static void bury(struct job *job, int status)
{
    char text[64];
    if (job->end == JOB_RUNNING && WIFSIGNALED(status) && job->death.signal)
        bury_heddle(job);
    snprintf(text, sizeof text, "the program ended heddle's worker with status %d", WEXITSTATUS(status));
    if (job->end == JOB_RUNNING && WIFSIGNALED(status) && is_from_outside(WTERMSIG(status))) {
        job->end = JOB_INTERRUPTED;
        if (!interrupted())
            give_up(job, WTERMSIG(status) == SIGKILL
                             ? "the worker was killed by SIGKILL, which comes from outside, as when memory runs out"
                             : "the worker was ended by a signal from outside");
    }
    if (job->end == JOB_RUNNING && !WIFSIGNALED(status))
        give_up(job, WEXITSTATUS(status) == INTERNAL ? "a limit inside heddle was hit (HEDDLE_DEBUG=1 shows which)"
                     : WEXITSTATUS(status) == LOST   ? watchdog_lost
                                                     : text);
    if (job->end != JOB_RUNNING)
        return;
    uint32_t steps = job->current_steps;
    if (job->bugs < JOB_BUGS && job->steps_used + steps <= JOB_STEPS) {
        struct job_bug *b = &job->bug[job->bugs++];
        memset(b, 0, sizeof *b);
        b->bug.kind = BUG_SIGNAL;
        b->bug.number = (uint32_t)WTERMSIG(status);
        b->bug.other = MAX_ACTORS;
        b->bug.actor = steps ? job->current[steps - 1].actor : 0;
        b->bug.event = b->bug.last = steps ? steps - 1 : 0;
        b->execution = job->executions_before + job->executions + 1;
        b->start = job->steps_used;
        b->steps = steps;
        b->turns = job->turns_used;
        b->unlocks = job->learnt.unlock_visible;
        snprintf(b->bug.text, sizeof b->bug.text,
                 "the process died of signal %d (%s) in a way that heddle could not contain", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
        memcpy(job->steps + b->start, job->current, steps * sizeof *job->current);
        job->steps_used += steps;
    }
    job->end = JOB_BUG;
}

// The worker keeps the time itself; one that cannot (a program that hangs before main) is ended from here.
static int wait_for(pid_t worker, const struct subject *subject, struct job *job)
{
    struct progress progress = {0};
    struct watchdog watchdog = {0};
    int status, delay = 1, longest = job->ask ? ASKED_POLL_MS : POLL_MS, patience = GRACE_MS / longest;
    double started = now();
    if (subject->progress)
        progress_begin(&progress, stderr);
    for (;;) {
        pid_t ended = waitpid(worker, &status, WNOHANG);
        if (ended == worker)
            break;
        if (job->ask && job->asked > job->ruled) {
            subject->judge->rule(subject->judge->context, job);
            job->asked = job->ruled = job->bugs; // those that are tolerated are gone
            started = now();
            delay = 1;
        }
        if (interrupted() || (job->seconds > 0 && now() > started + job->seconds + LATE_MS * 1e-3)) {
            job->interrupt = 1;
            if (!patience--)
                kill(worker, SIGKILL);
        }
        const char *hopeless = watchdog_look(&watchdog, worker, job, delay);
        if (hopeless && job->end == JOB_RUNNING) {
            give_up(job, hopeless);
            kill(worker, SIGKILL);
        }
        poll(NULL, 0, delay);
        delay = delay < longest ? delay * 2 : longest;
        if (subject->progress)
            progress_update(&progress, job);
    }
    if (subject->progress)
        progress_clear(&progress);
    if (job->end == JOB_RUNNING) // it could not say itself
        job->run_seconds = now() - started;
    return status;
}

// An attempt that taught something leaves nothing else behind.
static void forget_output(int fd)
{
    if (fd >= 0 && !ftruncate(fd, 0))
        lseek(fd, 0, SEEK_SET);
}

static void forget_answer(struct job *job)
{
    job->end = JOB_RUNNING;
    job->interrupt = 0;
    job->executions = job->blocked = job->events = job->redundant = job->cut = 0;
    job->finished = job->assumed = 0;
    job->notes = 0;
    job->death = (struct death){0};
    if (!job->learnt.racy_count) { // races found so far stay bugs when the search goes on with them visible
        job->bugs = job->bugs_before;
        job->steps_used = job->bugs_before ? job->steps_before : job->prefix_steps;
    }
    job->asked = job->ruled = job->bugs;
}

int run_job(const struct subject *subject, struct job *job, int output)
{
    scratch_watch();
    job->plain = subject->preload != NULL;
    job->steps_used = job->bugs_before ? job->steps_before : job->prefix_steps;
    do {
        forget_answer(job);
        forget_output(job->trace_fd);
        forget_output(job->runs_fd);
        forget_output(output);
        const char *trouble = workplace_prepare(job);
        if (trouble) {
            give_up(job, trouble);
            break;
        }
        job->shown = subject->progress && isatty(STDERR_FILENO);
        pid_t worker = fork();
        if (worker < 0) {
            fprintf(stderr, "heddle: no process for a worker: %s\n", strerror(errno));
            return 2;
        }
        if (!worker)
            become_worker(subject, job, output);
        scratch_user = worker;
        double started = now();
        int status = wait_for(worker, subject, job);
        scratch_user = 0;
        workplace_leave(job);
        if (job->end == JOB_RUNNING)
            job->run_seconds = now() - started;
        if (job->end == JOB_RUNNING && WIFEXITED(status) && WEXITSTATUS(status) == 127) {
            const char *why = access(subject->program, X_OK) ? strerror(errno) : "run it alone to see why";
            fprintf(stderr, "heddle: %s cannot be started: %s\n", subject->program, why);
            return 2;
        }
        if (job->interrupt && (job->end == JOB_RUNNING || job->end == JOB_INTERRUPTED))
            job->end = interrupted() ? JOB_INTERRUPTED : JOB_TIME;
        bury(job, status);
    } while (job->end == JOB_AGAIN && !interrupted());
    if (job->end == JOB_AGAIN)
        job->end = JOB_INTERRUPTED;
    return 0;
}
