#include "predict/held_run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/time.h"
#include "build/installation.h"
#include "predict/sorted_lines.h"
#include "supervise/run.h"

#define ENDS_SECONDS 5.0 // from the request to end
#define LOAD_SECONDS 1.0 // that a load gets when there is no program any more
enum { PAUSE_NS = 2000000 };

bool held_open(struct held_run *run)
{
    struct holding_block *block = MAP_FAILED;
    run->block_fd = memfd_create("heddle-holding", MFD_CLOEXEC);
    if (run->block_fd >= 0 && !ftruncate(run->block_fd, sizeof *block))
        block = mmap(NULL, sizeof *block, PROT_READ | PROT_WRITE, MAP_SHARED, run->block_fd, 0);
    run->block = block == MAP_FAILED ? NULL : block;
    return run->block != NULL;
}

void held_close(struct held_run *run)
{
    if (run->block)
        munmap(run->block, sizeof *run->block);
    if (run->block_fd >= 0)
        close(run->block_fd);
}

void held_renew(struct held_run *run)
{
    memset(run->block, 0, sizeof *run->block);
    run->block->magic = HOLDING_MAGIC;
    run->block->size = sizeof *run->block;
}

// ---- starting ----

static int open_holder(void)
{
    struct installation installation;
    char path[PATH_MAX + 32];
    if (installation_find(&installation))
        return -1;
    snprintf(path, sizeof path, "%s/libheddle-hold.so", installation.runtime_dir);
    return open(path, O_RDONLY | O_CLOEXEC);
}

// In the child: a group of its own, which ends with the command.
static void become_group(int output)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    int input = open("/dev/null", O_RDONLY);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    signal(SIGPIPE, SIG_DFL);
}

static _Noreturn void become_program(const struct held_run *run, const struct held_program *program, int library,
                                     int output)
{
    char number[16], preload[64], path[PATH_MAX];
    struct buffer list = {0};
    size_t n = 0;
    become_group(output);
    if (!realpath(program->path, path) || (program->directory && chdir(program->directory)))
        _exit(127);
    snprintf(number, sizeof number, "%d", run->block_fd);
    snprintf(preload, sizeof preload, "/proc/self/fd/%d", library);
    setenv(HOLDING_VARIABLE, number, 1);
    run_preload(preload, &list);
    setenv("LD_PRELOAD", buffer_text(&list), 1);
    fcntl(run->block_fd, F_SETFD, 0);
    fcntl(library, F_SETFD, 0);
    while (program->arguments[n])
        n++;
    char **argv = alloc_zeroed(n + 2, sizeof *argv);
    argv[0] = (char *)(uintptr_t)program->path;
    for (size_t i = 0; i < n; i++)
        argv[i + 1] = program->arguments[i];
    execv(path, argv);
    _exit(127);
}

static _Noreturn void become_load(const struct held_program *program, int output)
{
    become_group(output);
    if (program->directory && chdir(program->directory))
        _exit(127);
    execl("/bin/sh", "sh", "-c", program->load, (char *)NULL);
    _exit(127);
}

// ---- until all have ended ----

struct process {
    pid_t id; // 0: it has ended
    int status;
    bool late;
};

static void process_kill(struct process *p)
{
    if (!p->id)
        return;
    kill(-p->id, SIGKILL);
    kill(p->id, SIGKILL);
    waitpid(p->id, &p->status, 0);
    p->id = 0;
    p->late = true;
}

static bool process_ended(struct process *p)
{
    if (p->id && waitpid(p->id, &p->status, WNOHANG) == p->id) {
        kill(-p->id, SIGKILL); // what it has left behind
        p->id = 0;
    }
    return !p->id;
}

static void wait_for_both(struct process *program, struct process *load, bool serves, double until)
{
    const struct timespec pause = {0, PAUSE_NS};
    bool asked = false;
    while (program->id || load->id) {
        bool program_over = process_ended(program), load_over = process_ended(load);
        double now = time_now();
        if (program_over && !asked && load->id) {
            asked = true;
            until = now + LOAD_SECONDS;
        } else if (serves && load_over && !asked && program->id) {
            asked = true;
            kill(program->id, SIGTERM);
            until = now + ENDS_SECONDS;
        }
        if (now > until || run_interrupted()) {
            process_kill(load);
            process_kill(program);
        }
        nanosleep(&pause, NULL);
    }
}

static const char *start_both(const struct held_run *run, const struct held_program *program, int output,
                              int load_output, struct process *child, struct process *load)
{
    int library = open_holder();
    if (library < 0)
        return "libheddle-hold.so is not there; it belongs beside libheddle.so";
    child->id = fork();
    if (!child->id)
        become_program(run, program, library, output);
    close(library);
    if (child->id < 0)
        return strerror(errno);
    if (program->load)
        load->id = fork();
    if (program->load && !load->id)
        become_load(program, load_output);
    if (load->id < 0) {
        load->id = 0;
        process_kill(child);
        return "the load cannot be started";
    }
    return NULL;
}

void held_execute(struct held_run *run, const struct held_program *program, double seconds, struct held_result *result)
{
    struct process child = {0}, load = {0};
    int output = memfd_create("heddle-out", MFD_CLOEXEC), load_output = memfd_create("heddle-load", MFD_CLOEXEC);
    double from = time_now();
    *result = (struct held_result){0};
    fflush(NULL);
    result->trouble = start_both(run, program, output, load_output, &child, &load);
    if (!result->trouble)
        wait_for_both(&child, &load, program->load != NULL, from + seconds);
    result->seconds = time_now() - from;
    result->status = child.status;
    result->late = child.late;
    result->load_status = load.status;
    result->load_late = load.late;
    result->output = sorted_lines(output);
    close(output);
    close(load_output);
}

void held_result_free(struct held_result *result)
{
    free(result->output);
    *result = (struct held_result){0};
}
