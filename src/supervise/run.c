#include "supervise/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/interrupt.h"
#include "base/scratch.h"
#include "base/time.h"
#include "model/framework.h"
#include "report/progress.h"
#include "supervise/fault_subject.h"
#include "supervise/crew.h"
#include "supervise/workplace.h"

// Status of a worker that found a broken invariant (base/fail.c), and of one in which nothing happens any more (on_tick).
enum { INTERNAL = 70, LOST = 71 };

enum {
    DEFAULT_STEPS = 20000,
    DEFAULT_DEPTH = 3,
    POLL_MS = 100,
    EXCHANGE_POLL_MS = 1,
    ASKED_POLL_MS = 4,
    WATCHED_POLL_MS = 10, // somebody may have nothing to do until this search stops
    LATE_MS = 1000,
    GRACE_MS = 3000
};

struct shared_job {
    int fd;
    struct job *job;
};

static struct shared_job shared[WORKERS + 16];

bool run_interrupted(void)
{
    return interrupted();
}

struct job *job_new(void)
{
    int fd = memfd_create("heddle-job", MFD_CLOEXEC);
    struct job *job = MAP_FAILED;
    if (fd >= 0 && !ftruncate(fd, sizeof *job))
        job = mmap(NULL, sizeof *job, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (job == MAP_FAILED) {
        fprintf(stderr, "heddle: there is no shared memory for a worker: %s\n", strerror(errno));
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
    job->task.strategy = STRATEGY_OPTIMAL;
    job->task.max_executions = UINT64_MAX;
    job->task.max_steps = DEFAULT_STEPS;
    job->task.preemptions = NO_BOUND;
    job->task.depth = DEFAULT_DEPTH;
    job->task.trace_fd = job->task.runs_fd = job->task.ledger_fd = job->task.exchange_fd = -1;
    job->answer.share = share_unknown;
    job->threads.count = 1;
    return job;
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

static void set_number(const char *variable, uint32_t value)
{
    char number[16];
    snprintf(number, sizeof number, "%" PRIu32, value);
    setenv(variable, number, 1);
}

// The kernel puts arguments below the environment, so where they lie depends on how long that is. It differs among ranks, by their
// numbers for example, and a pointer to an argument on main's stack would tell their states apart. A variable that fills the environment
// up to whole pages makes them agree. Where lengths lie on both sides of a page's end they still differ, and states are searched twice.
static void level_environment(void)
{
    enum { PAGE = 4096, LEAST = sizeof LEVEL_VARIABLE + 1 }; // with '=' and the end
    size_t length = 0;
    unsetenv(LEVEL_VARIABLE);
    for (char **each = environ; *each; each++)
        length += strlen(*each) + 1;
    size_t rest = PAGE - (length + LEAST) % PAGE;
    char filling[PAGE + 1];
    memset(filling, '-', rest);
    filling[rest] = 0;
    setenv(LEVEL_VARIABLE, filling, 1);
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
    if (job->task.rules.openmp_threads)
        set_number("OMP_NUM_THREADS", job->task.rules.openmp_threads);
    if (job->task.rules.framework)
        setenv(FRAMEWORK_VARIABLE, framework_traits(job->task.rules.framework)->name, 1);
    if (job->task.outside.test[0])
        setenv(FRAMEWORK_TEST_VARIABLE, job->task.outside.test, 1);
    if (subject->preload)
        put_in_front(subject->preload);
    level_environment();
    // Descriptors that it opens are to have the same numbers in every run: of heddle's own it gets only what it needs, and
    // moves that out of the way.
    fcntl(job_fd(job), F_SETFD, 0);
    if (job->task.ledger_fd >= 0)
        fcntl(job->task.ledger_fd, F_SETFD, 0);
    if (job->task.exchange_fd >= 0)
        fcntl(job->task.exchange_fd, F_SETFD, 0);
    if (output >= 0)
        fcntl(output, F_SETFD, FD_CLOEXEC);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    int input = job->task.outside.input[0] ? open(job->task.outside.input_at, O_RDONLY | O_CLOEXEC) : null;
    if (input < 0)
        _exit(127);
    dup2(input, STDIN_FILENO);
    bool shows = output < 0 && subject->shows_output;
    dup2(output >= 0 ? output : shows ? STDERR_FILENO : null, STDOUT_FILENO);
    if (!getenv("HEDDLE_DEBUG") && !shows)
        dup2(output >= 0 ? output : null, STDERR_FILENO);
    signal(SIGINT, SIG_IGN);          // a terminal sends it to all, and the supervisor says what to do
    prctl(PR_SET_PDEATHSIG, SIGKILL); // however the supervisor ends
    personality(ADDR_NO_RANDOMIZE);   // helps where it is allowed; nothing relies on it
    size_t n = 0;
    while (subject->arguments && subject->arguments[n])
        n++;
    char **argv = alloc_zeroed(n + 2, sizeof *argv);
    argv[0] = (char *)(uintptr_t)subject->program;
    for (size_t i = 0; i < n; i++)
        argv[i + 1] = subject->arguments[i];
    execv(program, argv);
    _exit(127);
}

static void run_give_up(struct job *job, const char *why)
{
    snprintf(job->answer.reason, sizeof job->answer.reason, "%s", why);
    job->answer.end = JOB_UNSUPPORTED;
}

// What the program sends itself never arrives like that (target/threads/pthread/signals.c).
static bool is_from_outside(int number)
{
    return number == SIGKILL || number == SIGTERM || number == SIGHUP || number == SIGINT;
}

bool job_safer(struct job *job)
{
    bool possible = job->task.rules.restart == RESTART_AUTO && !job->task.real &&
                    job->learnt.distrust < DISTRUST_MEMORY && job->answer.restart_used != RESTART_FORK &&
                    job->answer.restart_used != RESTART_CHECKPOINT;
    if (possible)
        job->learnt.distrust = job->answer.restart_used == RESTART_UNDO ? DISTRUST_UNDO : DISTRUST_MEMORY;
    return possible;
}

// It was not the program that died. In another way to start executions again heddle may not.
static void bury_heddle(struct job *job)
{
    const struct death *d = &job->answer.death;
    char place[64] = "in a library";
    if (d->place)
        snprintf(place, sizeof place, "at libheddle.so+0x%llx", (unsigned long long)d->place);
    if (job->task.trace_fd < 0 && job_safer(job)) {
        job->answer.end = JOB_AGAIN;
        return;
    }
    snprintf(job->answer.reason, sizeof job->answer.reason,
             "heddle's own fault: it died of signal %u (%s) %s, address 0x%llx, unless the program has overwritten its "
             "memory",
             d->signal, strsignal((int)d->signal), place, (unsigned long long)d->address);
    job->answer.end = JOB_UNSUPPORTED;
}

// The worker stopped at a limit of its own, mostly since there was no room for what it reserves.
static const char *limit_hit(void)
{
    struct rlimit space;
    if (!getrlimit(RLIMIT_AS, &space) && space.rlim_cur != RLIM_INFINITY)
        return "heddle reserves hundreds of gigabytes of addresses, without using the memory, and `ulimit -v' allows "
               "fewer";
    return "a limit inside heddle was hit (HEDDLE_DEBUG=1 shows which)";
}

// The worker died: what it was doing is a finding, if it was the program.
static void run_bury(struct job *job, int status)
{
    char text[64];
    if (job->answer.end == JOB_RUNNING && WIFSIGNALED(status) && job->answer.death.signal)
        bury_heddle(job);
    snprintf(text, sizeof text, "the program ended heddle's worker with status %d", WEXITSTATUS(status));
    if (job->answer.end == JOB_RUNNING && WIFSIGNALED(status) && is_from_outside(WTERMSIG(status))) {
        job->answer.end = JOB_INTERRUPTED;
        if (!interrupted())
            run_give_up(job, WTERMSIG(status) == SIGKILL
                                 ? "the worker was killed by SIGKILL, which comes from outside, as when memory runs out"
                                 : "the worker was ended by a signal from outside");
    }
    if (job->answer.end == JOB_RUNNING && !WIFSIGNALED(status))
        run_give_up(job, WEXITSTATUS(status) == INTERNAL ? limit_hit()
                         : WEXITSTATUS(status) == LOST   ? watchdog_lost
                                                         : text);
    if (job->answer.end != JOB_RUNNING)
        return;
    uint32_t steps = job->current_steps;
    if (job->answer.bugs < JOB_BUGS && job->steps_used + steps <= JOB_STEPS) {
        struct job_bug *b = &job->answer.bug[job->answer.bugs++];
        memset(b, 0, sizeof *b);
        b->bug.kind = BUG_SIGNAL;
        b->bug.number = (uint32_t)WTERMSIG(status);
        b->bug.other = MAX_ACTORS;
        b->bug.actor = steps ? job->current[steps - 1].actor : 0;
        b->bug.event = b->bug.last = steps ? steps - 1 : 0;
        b->execution =
            job->task.executions_before + job->answer.elsewhere.executions + job->answer.counts.executions + 1;
        b->start = job->steps_used;
        b->steps = steps;
        b->turns = job->answer.turns_used;
        b->unlocks = job->learnt.unlock_visible;
        snprintf(b->bug.text, sizeof b->bug.text,
                 "the process died of signal %d (%s) in a way that heddle could not contain", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
        memcpy(job->steps + b->start, job->current, steps * sizeof *job->current);
        b->steps = steps_drop_alone(job->steps + b->start, steps);
        job->steps_used += b->steps;
    }
    job->answer.end = JOB_BUG;
}

// Whether the program could not even be started.
static bool cannot_start(int status, const struct job *job)
{
    return job->answer.end == JOB_RUNNING && WIFEXITED(status) && WEXITSTATUS(status) == 127;
}

// Asks everybody to stop, and after a while no longer asks.
static void run_stop(struct crew *crew, bool kills)
{
    for (uint32_t i = 0; i < crew->count; i++) {
        crew->job[i]->interrupt = 1;
        if (kills && crew->process[i])
            kill(crew->process[i], SIGKILL);
    }
}

// Ends a worker that does nothing any more.
static void run_watch(struct crew *crew, uint32_t which, int passed_ms)
{
    struct job *job = crew->job[which];
    const char *hopeless = watchdog_look(&crew->watchdog[which], crew->process[which], job, passed_ms);
    if (hopeless && job->answer.end == JOB_RUNNING) {
        run_give_up(job, hopeless);
        kill(crew->process[which], SIGKILL);
    }
}

// Whether somebody else ended the worker, and not the program or heddle.
static bool was_killed(int status)
{
    return WIFSIGNALED(status) && is_from_outside(WTERMSIG(status));
}

// Starts a worker. False: errno says why not.
static bool run_start_one(struct crew *crew, uint32_t which, const struct subject *subject, int output)
{
    pid_t worker = fork();
    if (!worker)
        become_worker(subject, crew->job[which], output);
    crew->process[which] = worker > 0 ? worker : 0;
    crew->end[which] = worker > 0 ? (int)syscall(SYS_pidfd_open, worker, 0) : -1;
    crew->watchdog[which] = (struct watchdog){0};
    if (!which)
        scratch_user = crew->process[0];
    return worker > 0;
}

// Notes who has ended; says whether somebody has. Whoever was killed is replaced.
static bool run_reap(struct crew *crew, const struct subject *subject, int output, double seconds)
{
    bool some = false;
    for (uint32_t i = 0; i < crew->count; i++) {
        struct job *job = crew->job[i];
        if (!crew->process[i] || waitpid(crew->process[i], &crew->status[i], WNOHANG) != crew->process[i])
            continue;
        if (crew->end[i] >= 0)
            close(crew->end[i]);
        if (was_killed(crew->status[i]) && !interrupted() && crew_replaces(crew, i, seconds) &&
            run_start_one(crew, i, subject, output))
            continue;
        if (job->answer.end == JOB_RUNNING) // it could not say itself
            job->answer.run_seconds = seconds;
        if (job->interrupt && (job->answer.end == JOB_RUNNING || job->answer.end == JOB_INTERRUPTED))
            job->answer.end = interrupted() ? JOB_INTERRUPTED : JOB_TIME;
        if (!cannot_start(crew->status[i], job))
            run_bury(job, crew->status[i]);
        crew_note_end(crew, i);
        crew->process[i] = 0;
        some = true;
    }
    return some;
}

// For so long, or until one of them ends. Returns the milliseconds that passed, and no more than were asked for: where everybody
// waits for a processor, it is nobody's fault.
static int run_pause(const struct crew *crew, int ms)
{
    struct pollfd end[WORKERS];
    for (uint32_t i = 0; i < crew->count; i++)
        end[i] = (struct pollfd){.fd = crew->process[i] ? crew->end[i] : -1, .events = POLLIN};
    double began = time_now();
    poll(end, crew->count, ms);
    double passed = (time_now() - began) * 1e3;
    return passed < ms ? (int)passed : ms;
}

// The workers keep the time themselves; one that cannot (a program that hangs before main) is ended from here.
static void run_wait_for(struct crew *crew, const struct subject *subject, int output)
{
    struct job *job = crew->job[0];
    struct progress progress = {0};
    int delay = 1, passed = 0,
        longest = job->task.exchange_fd >= 0 ? EXCHANGE_POLL_MS
                  : job->task.ask            ? ASKED_POLL_MS
                  : subject->watch           ? WATCHED_POLL_MS
                                             : POLL_MS,
        patience = GRACE_MS / longest;
    double began = time_now(), started = began;
    if (subject->progress)
        progress_begin(&progress, stderr);
    while (crew_is_at_work(crew)) {
        if (run_reap(crew, subject, output, time_now() - began))
            continue;
        if (job->task.ask && job->asked > job->ruled) {
            subject->judge->rule(subject->judge->context, job);
            job->asked = job->ruled = job->answer.bugs; // those that are tolerated are gone
            started = time_now();
            delay = 1;
        }
        if (interrupted() || (subject->watch && subject->watch->stops(subject->watch->context)) ||
            (job->task.seconds > 0 && time_now() > started + job->task.seconds + LATE_MS * 1e-3))
            run_stop(crew, !patience--);
        crew_tend(crew);
        for (uint32_t i = 0; i < crew->count; i++)
            if (crew->process[i])
                run_watch(crew, i, passed);
        passed = run_pause(crew, delay);
        delay = delay < longest ? delay * 2 : longest;
        if (subject->progress)
            progress_update(&progress, job, crew_executions_of_others(crew));
    }
    if (subject->progress)
        progress_clear(&progress);
}

// An attempt that taught something leaves nothing else behind.
static void forget_output(int fd)
{
    if (fd >= 0 && !ftruncate(fd, 0))
        lseek(fd, 0, SEEK_SET);
}

static void forget_answer(struct job *job)
{
    job->answer.end = JOB_RUNNING;
    job->interrupt = 0;
    job->answer.counts = job->answer.elsewhere = (struct counts){0};
    job->answer.sampled = (struct sampled){0};
    job->answer.found_by = job->task.strategy;
    job->answer.finished = job->answer.assumed = 0;
    job->answer.notes = 0;
    job->answer.death = (struct death){0};
    if (!job->learnt.racy_count) { // races found so far stay bugs when the search goes on with them visible
        job->answer.bugs = job->task.bugs_before;
        job->steps_used = job->task.bugs_before ? job->task.steps_before : job->task.prefix_steps;
    }
    job->asked = job->ruled = job->answer.bugs;
}

// Starts all workers. 0, or 2 after one sentence.
static int run_start(struct crew *crew, const struct subject *subject, int output)
{
    for (uint32_t i = 0; i < crew->count; i++) {
        if (run_start_one(crew, i, subject, output))
            continue;
        fprintf(stderr, "heddle: a worker cannot be started: %s\n", strerror(errno));
        run_stop(crew, true);
        return 2;
    }
    return 0;
}

int run_job(const struct subject *subject, struct job *job, int output)
{
    scratch_watch();
    job->task.plain = subject->preload != NULL;
    job->steps_used = job->task.bugs_before ? job->task.steps_before : job->task.prefix_steps;
    do {
        forget_answer(job);
        forget_output(job->task.trace_fd);
        forget_output(job->task.runs_fd);
        forget_output(output);
        const char *trouble = workplace_prepare(job);
        if (!trouble && fault_any(job->task.rules.faults))
            trouble = fault_subject_trouble(subject->program);
        if (trouble) {
            run_give_up(job, trouble);
            break;
        }
        job->task.shown = subject->progress && isatty(STDERR_FILENO);
        struct crew crew;
        double seconds = job->task.seconds;
        if (crew_can_search_elsewhere(subject, job) &&
            subject->fellows->search_states(subject->fellows->context, subject, job))
            continue;
        crew_open(&crew, job, subject);
        int trouble_starting = run_start(&crew, subject, output);
        if (!trouble_starting)
            run_wait_for(&crew, subject, output);
        scratch_user = 0;
        workplace_leave(job);
        bool runs = !trouble_starting && !cannot_start(crew.status[0], job);
        if (runs)
            crew_gather(&crew);
        crew_close(&crew);
        job->task.seconds = seconds;
        if (trouble_starting)
            return trouble_starting;
        if (!runs) {
            const char *why = access(subject->program, X_OK) ? strerror(errno) : "run it alone to see why";
            fprintf(stderr, "heddle: %s cannot be started: %s\n", subject->program, why);
            return 2;
        }
    } while (job->answer.end == JOB_AGAIN && !interrupted() && !job->task.slice);
    if (job->answer.end == JOB_AGAIN && !job->task.slice)
        job->answer.end = JOB_INTERRUPTED;
    return 0;
}
