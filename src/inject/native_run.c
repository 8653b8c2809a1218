#define _GNU_SOURCE
#include "inject/native_run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/time.h"
#include "build/installation.h"
#include "inject/group_look.h"
#include "supervise/run.h"

bool native_open(struct native_run *run)
{
    memset(run, 0, sizeof *run);
    run->out = memfd_create("heddle-out", MFD_CLOEXEC);
    run->err = memfd_create("heddle-err", MFD_CLOEXEC);
    run->block_fd = memfd_create("heddle-injection", MFD_CLOEXEC);
    struct injection_block *block = MAP_FAILED;
    if (run->out >= 0 && run->err >= 0 && run->block_fd >= 0 && !ftruncate(run->block_fd, sizeof *block))
        block = mmap(NULL, sizeof *block, PROT_READ | PROT_WRITE, MAP_SHARED, run->block_fd, 0);
    run->block = block == MAP_FAILED ? NULL : block;
    return run->block != NULL;
}

void native_close(struct native_run *run)
{
    if (run->block)
        munmap(run->block, sizeof *run->block);
    close(run->out);
    close(run->err);
    close(run->block_fd);
}

// ---- starting ----

static const char *injector_path(void)
{
    static char path[PATH_MAX + 32];
    struct installation installation;
    if (!*path && !installation_find(&installation))
        snprintf(path, sizeof path, "%s/libheddle-inject.so", installation.runtime_dir);
    return path;
}

// A new piece of shared memory instead of clearing the old one, most of which was never touched.
static void block_renew(struct native_run *run)
{
    if (ftruncate(run->block_fd, 0) || ftruncate(run->block_fd, sizeof *run->block))
        abort();
    run->block->magic = INJECTION_MAGIC;
}

static void block_schedule(struct injection_block *block, const struct native_schedule *schedule)
{
    block->controlled = 1;
    block->drawn_from = schedule->seed;
    block->follow = schedule->count;
    for (uint32_t i = 0; i < schedule->count; i++)
        block->turns[i] = schedule->turns[i];
}

static _Noreturn void become_program(const struct native_run *run, int library)
{
    const struct native_program *p = run->program;
    char number[16], preload[64];
    struct buffer list = {0};
    size_t n = 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    int input = open(p->input ? p->input : "/dev/null", O_RDONLY);
    dup2(input, STDIN_FILENO);
    dup2(run->out, STDOUT_FILENO);
    dup2(run->err, STDERR_FILENO);
    snprintf(number, sizeof number, "%d", run->block_fd);
    snprintf(preload, sizeof preload, "/proc/self/fd/%d", library);
    setenv(INJECTION_VARIABLE, number, 1);
    run_preload(preload, &list);
    setenv("LD_PRELOAD", buffer_text(&list), 1);
    fcntl(run->block_fd, F_SETFD, 0);
    signal(SIGPIPE, SIG_DFL);
    while (p->arguments && p->arguments[n])
        n++;
    char **argv = alloc_zeroed(n + 2, sizeof *argv);
    argv[0] = (char *)(uintptr_t)p->path;
    for (size_t i = 0; i < n; i++)
        argv[i + 1] = p->arguments[i];
    execv(p->path, argv);
    _exit(127);
}

const char *native_start(struct native_run *run, const struct native_program *program, uint32_t watched,
                         const struct injection_plan *plan, const struct native_schedule *schedule, double seconds,
                         const char *trace)
{
    int folder = -1;
    if (trace && (mkdir(trace, 0700) || (folder = open(trace, O_RDONLY | O_DIRECTORY)) < 0))
        return strerror(errno);
    int library = open(injector_path(), O_RDONLY);
    if (library < 0)
        return "libheddle-inject.so is not there; it belongs beside libheddle.so";
    run->program = program;
    block_renew(run);
    run->block->watched = watched;
    run->block->naive = run->naive;
    run->block->trace_fd = (uint32_t)(folder + 1);
    if (plan)
        run->block->plan = *plan;
    if (schedule)
        block_schedule(run->block, schedule);
    if (ftruncate(run->out, 0) || ftruncate(run->err, 0))
        return strerror(errno);
    lseek(run->out, 0, SEEK_SET);
    lseek(run->err, 0, SEEK_SET);
    run->started = time_now();
    run->seconds = seconds;
    run->until = run->started + seconds;
    run->idle = 0;
    run->child = fork();
    if (!run->child)
        become_program(run, library);
    close(library);
    if (folder >= 0)
        close(folder);
    return run->child < 0 ? strerror(errno) : NULL;
}

// ---- what is left ----

static uint64_t hash_more(uint64_t h, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    return h;
}

enum { HASH_BEGIN = 1469598103 };

// Of the file, and of its lines in any order; the first bytes are kept if `text` is given.
static uint64_t hash_file(int fd, uint64_t *sorted, char **text)
{
    struct stat about;
    uint64_t lines = 0, hash = HASH_BEGIN;
    char *bytes = MAP_FAILED;
    if (!fstat(fd, &about) && about.st_size > 0)
        bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_SHARED, fd, 0);
    size_t size = bytes == MAP_FAILED ? 0 : (size_t)about.st_size;
    hash = hash_more(hash, bytes == MAP_FAILED ? "" : bytes, size);
    for (size_t from = 0; sorted && from < size;) {
        char *end = memchr(bytes + from, '\n', size - from);
        size_t length = end ? (size_t)(end - bytes) - from : size - from;
        lines += hash_more(HASH_BEGIN, bytes + from, length) * 0x9e3779b97f4a7c15u;
        from += length + 1;
    }
    if (sorted)
        *sorted = lines;
    if (text)
        *text = alloc_copy_part(size ? bytes : "", size < NATIVE_TEXT ? size : NATIVE_TEXT);
    if (bytes != MAP_FAILED)
        munmap(bytes, size);
    return hash;
}

static uint64_t hash_outputs(char **outputs)
{
    uint64_t all = HASH_BEGIN;
    for (; outputs && *outputs; outputs++) {
        int fd = open(*outputs, O_RDONLY | O_CLOEXEC);
        uint64_t hash = fd < 0 ? 0 : hash_file(fd, NULL, NULL);
        all = hash_more(all, (const char *)&hash, sizeof hash);
        if (fd >= 0)
            close(fd);
    }
    return all;
}

static void show_file(int fd, int to)
{
    char bytes[4096];
    off_t at = 0;
    for (ssize_t n; (n = pread(fd, bytes, sizeof bytes, at)) > 0; at += n)
        if (write(to, bytes, (size_t)n) != n)
            return;
}

void native_show(const struct native_run *run)
{
    fflush(stdout);
    show_file(run->out, STDOUT_FILENO);
    show_file(run->err, STDERR_FILENO);
}

void native_take_turns(const struct native_run *run, struct native_schedule *schedule)
{
    uint32_t count = run->block->turn_count < INJECTION_TURNS ? run->block->turn_count : INJECTION_TURNS;
    schedule->turns = alloc_resize(schedule->turns, count + 1, sizeof *schedule->turns);
    memcpy(schedule->turns, run->block->turns, count * sizeof *schedule->turns);
    schedule->count = count;
}

// What the program started goes with it.
void native_stop(struct native_run *run)
{
    if (!run->child)
        return;
    kill(-run->child, SIGKILL);
    kill(run->child, SIGKILL);
    waitpid(run->child, NULL, 0);
    run->child = 0;
}

// Whether a run that is late is given more time.
static bool is_held_up(struct native_run *run, double now)
{
    enum { IDLE_LOOKS = 5, MOST_TIMES = 20 };
    static const double pause = 0.1;
    struct group_look look = group_look(run->child);
    run->idle = look.runs ? 0 : run->idle + 1;
    run->until = now + pause;
    return look.seconds < run->seconds && run->idle < IDLE_LOOKS && now - run->started < MOST_TIMES * run->seconds;
}

bool native_over(struct native_run *run, struct native_result *result)
{
    int status = 0;
    pid_t ended = waitpid(run->child, &status, WNOHANG);
    double now = time_now();
    bool stuck = !ended && __atomic_load_n(&run->block->stuck, __ATOMIC_ACQUIRE);
    if (!ended && !stuck && (now < run->until || is_held_up(run, now)))
        return false;
    memset(result, 0, sizeof *result);
    result->late = !ended;
    result->stuck = stuck;
    if (!ended)
        native_stop(run);
    else
        kill(-run->child, SIGKILL);
    run->child = 0;
    result->status = status;
    result->seconds = now - run->started;
    result->attached = run->block->attached;
    result->activated = run->block->activated;
    result->full = run->block->full;
    result->as_it_is = run->block->as_it_is;
    result->in_order = run->block->in_order;
    result->departed = run->block->departed;
    result->followed = run->block->departed_at;
    result->outside = run->block->outside;
    result->activated_path = run->block->threads[run->block->activated_by % INJECTION_THREADS].path;
    result->activated_at = run->block->activated_at;
    result->out = hash_file(run->out, &result->sorted, NULL);
    result->err = hash_file(run->err, NULL, &result->err_text);
    result->files = hash_outputs(run->program->outputs);
    return true;
}
