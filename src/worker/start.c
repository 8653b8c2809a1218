// Where heddle gets hold of the program: in front of main.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "target/threads/library/library_room.h"
#include "model/state_exchange.h"
#include "worker/helpers.h"
#include "worker/worker.h"

#ifdef HEDDLE_TRAINING // `make pgo`: the compiler's own counters, which are written where a process ends by exit, and here
void __gcov_dump(void);
#else
#define __gcov_dump() ((void)0)
#endif

typedef int main_function(int, char **, char **);

static main_function *program;
static constructor *constructors; // of the program, if it brings a function that runs them
static bool controlled;

// Runs in place of the program's constructors, which are part of its executions.
static void construct_later(int argc, char **argv, char **envp)
{
    (void)argc;
    (void)argv;
    (void)envp;
}

// The job that the supervisor handed down, or null if the program runs on its own.
static struct job *find_job(void)
{
    const char *fd = getenv(JOB_VARIABLE);
    if (!fd)
        return NULL;
    bool again = *fd == '/'; // a path: the same job for every run in a debugger, so it stays as it is
    int number = again ? open(fd, O_RDONLY | O_CLOEXEC) : atoi(fd);
    require(!again || number >= 0);
    struct job *job = mmap(NULL, sizeof *job, PROT_READ | PROT_WRITE, again ? MAP_PRIVATE : MAP_SHARED, number, 0);
    if (job == MAP_FAILED || job->magic != JOB_MAGIC || job->size != sizeof *job)
        return NULL;
    close(number);
    return job;
}

// What the worker shares with others, if there are any.
static struct ledger *find_ledger(const struct job *job)
{
    const struct task *task = &job->task;
    if (task->ledger_fd < 0)
        return NULL;
    struct ledger *ledger = mmap(NULL, task->ledger_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, task->ledger_fd, 0);
    require(ledger != MAP_FAILED);
    close(task->ledger_fd);
    return ledger;
}

static struct state_exchange *find_exchange(const struct job *job)
{
    int fd = job->task.exchange_fd;
    if (fd < 0)
        return NULL;
    struct state_exchange *exchange = mmap(NULL, sizeof *exchange, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    require(exchange != MAP_FAILED);
    close(fd);
    return exchange;
}

// What stands in LD_PRELOAD after heddle's runtime, as the user has it: for the program, and for what it starts.
static void restore_preload(void)
{
    const char *list = getenv("LD_PRELOAD"), *others = list ? strchr(list, ':') : NULL;
    if (others)
        setenv("LD_PRELOAD", others + 1, 1);
    else
        unsetenv("LD_PRELOAD");
}

static int start_program(int argc, char **argv, char **envp)
{
    struct job *job = find_job();
    if (controlled)
        modules_prepare(constructors);
    if (controlled && !job)
        modules_construct(argc, argv, envp);
    if (!job)
        return program(argc, argv, envp);
    if (job->task.plain)
        restore_preload();
    helpers_talk(find_exchange(job));
    worker_run(job, find_ledger(job), program, argc, argv, environ);
    __gcov_dump();
    int (*leave)(int) = (int (*)(int))(uintptr_t)dlsym(RTLD_NEXT, "_exit");
    leave(0);
    return 0;
}

// With a function in the place of `init` the C library does not look for constructors itself.
__attribute__((visibility("default"))) int __libc_start_main(main_function *main_program, int argc, char **argv,
                                                             constructor *init, void (*fini)(void),
                                                             void (*rtld_fini)(void), void *stack_end)
{
    typedef int start_main(main_function *, int, char **, constructor *, void (*)(void), void (*)(void), void *);
    start_main *native = (start_main *)(uintptr_t)dlsym(RTLD_NEXT, "__libc_start_main");
    require(native != NULL);
    program = main_program;
    constructors = init;
    controlled = getenv(JOB_VARIABLE);
    return native(start_program, argc, argv, controlled ? construct_later : init, fini, rtld_fini, stack_end);
}
