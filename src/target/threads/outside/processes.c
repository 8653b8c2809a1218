// Other processes. They are started in the private working directory of an execution, run on their own, uncontrolled, and
// are ended with it.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target/threads/memory/memory_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/outside/outside_calls.h"
#include "target/threads/outside/outside_room.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/pthread/pthread_room.h"
#include "target/threads/descriptor/descriptor_room.h"

static pid_t start_copy(struct thread *t, const char *name, const void *pc)
{
    bool handled = name[0] == 'f'; // not by vfork
    if (handled)
        snapshot_before(t);
    outside(t, name, OUTSIDE_COPIES, pc);
    bool followed = handled && forked_follows(); // one by vfork has only to start another program
    if (!followed)
        descriptors_are_inherited(t);
    pid_t child = followed ? forked_start(t, pc) : forking_plainly();
    if (!child && !followed)
        forking_leave();
    if (handled)
        snapshot_after(!child);
    return child;
}

PUBLIC pid_t fork(void)
{
    return engine.running ? start_copy(engine.running, "fork", HERE) : NATIVE(fork)();
}

// As a copy it may do more than it is allowed to, and nobody can tell. (It cannot be passed on: the child would return
// from here before its parent.)
PUBLIC pid_t vfork(void)
{
    return engine.running ? start_copy(engine.running, "vfork", HERE) : NATIVE(fork)();
}

// What it does to descriptors says that it uses some.
#define SPAWNS(name)                                                                                                   \
    PUBLIC int name(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,                         \
                    const posix_spawnattr_t *attributes, char *const *argv, char *const *envp)                         \
    {                                                                                                                  \
        if (engine.running && actions)                                                                                 \
            descriptors_are_inherited(engine.running);                                                                 \
        if (engine.running)                                                                                            \
            outside(engine.running, #name, OUTSIDE_STARTS, HERE);                                                      \
        return NATIVE(name)(child, path, actions, attributes, argv, envp);                                             \
    }
SPAWNS(posix_spawn)
SPAWNS(posix_spawnp)
OUTSIDE_CALL(OUTSIDE_STARTS, int, system, (const char *command), (command))
OUTSIDE_CALL(OUTSIDE_STARTS, FILE *, popen, (const char *command, const char *mode), (command, mode))
OUTSIDE_CALL(OUTSIDE_USES, int, pclose, (FILE * file), (file))

// Of processes that share memory with this one the search knows when they end.
#define WAITS(name, parameters, arguments, which, options)                                                             \
    PUBLIC pid_t name parameters                                                                                       \
    {                                                                                                                  \
        struct thread *t = engine.running;                                                                             \
        if (t && engine.forked)                                                                                        \
            return forked_wait(t, which, status, options, HERE);                                                       \
        if (t)                                                                                                         \
            outside(t, #name, OUTSIDE_USES, HERE);                                                                     \
        return NATIVE(name) arguments;                                                                                 \
    }
WAITS(wait, (int *status), (status), -1, 0)
WAITS(waitpid, (pid_t child, int *status, int options), (child, status, options), child, options)

static _Noreturn void refuse_usage(struct thread *t, const char *name)
{
    refuse(t, name, "use waitpid for processes that share memory");
}

#define WAITS_IN_KERNEL(result, name, parameters, arguments)                                                           \
    PUBLIC result name parameters                                                                                      \
    {                                                                                                                  \
        struct thread *t = engine.running;                                                                             \
        if (t && engine.forked)                                                                                        \
            refuse_usage(t, #name);                                                                                    \
        if (t)                                                                                                         \
            outside(t, #name, OUTSIDE_USES, HERE);                                                                     \
        return NATIVE(name) arguments;                                                                                 \
    }
WAITS_IN_KERNEL(pid_t, wait3, (int *status, int options, struct rusage *usage), (status, options, usage))
WAITS_IN_KERNEL(pid_t, wait4, (pid_t child, int *status, int options, struct rusage *usage),
                (child, status, options, usage))
WAITS_IN_KERNEL(int, waitid, (idtype_t type, id_t id, siginfo_t *info, int options), (type, id, info, options))

static bool is_child(pid_t process)
{
    siginfo_t info;
    return process > 0 && !NATIVE(waitid)(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT);
}

PUBLIC int kill(pid_t process, int number)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(kill)(process, number);
    if (forked_is_process(process))
        refuse(t, "kill for a process that shares memory with it", "let that process end itself");
    if (process == getpid()) {
        forked_refuse(t, "sends a signal to itself by kill");
        int error = signal_process(t, number, HERE);
        errno = error ? error : errno;
        return error ? -1 : 0;
    }
    if (!is_child(process))
        refuse(t, "kill for a process that it did not start", "send it to a thread, with pthread_kill");
    outside(t, "kill", OUTSIDE_USES, HERE);
    return NATIVE(kill)(process, number);
}

// ---- becoming another program ----

static void refuse_exec(const char *name)
{
    struct thread *t = engine.running;
    if (!t)
        return;
    forked_refuse(t, "starts another program");
    refuse(t, name, "do it in a child process, after fork");
}

#define EXEC(name, parameters, arguments)                                                                              \
    PUBLIC int name parameters                                                                                         \
    {                                                                                                                  \
        refuse_exec(#name);                                                                                            \
        return NATIVE(name) arguments;                                                                                 \
    }
EXEC(execve, (const char *path, char *const *argv, char *const *envp), (path, argv, envp))
EXEC(execv, (const char *path, char *const *argv), (path, argv))
EXEC(execvp, (const char *file, char *const *argv), (file, argv))
EXEC(execvpe, (const char *file, char *const *argv, char *const *envp), (file, argv, envp))
EXEC(fexecve, (int fd, char *const *argv, char *const *envp), (fd, argv, envp))

// Those with arguments one by one: as a list for one of the others.
enum { MOST_WORDS = 4096 };

#define EXEC_LIST(name, as, ...)                                                                                       \
    PUBLIC int name(const char *path, const char *first, ...)                                                          \
    {                                                                                                                  \
        const char *words[MOST_WORDS];                                                                                 \
        size_t count = 1;                                                                                              \
        va_list rest;                                                                                                  \
        refuse_exec(#name);                                                                                            \
        words[0] = first;                                                                                              \
        va_start(rest, first);                                                                                         \
        while (count + 1 < MOST_WORDS && (words[count] = va_arg(rest, const char *)))                                  \
            count++;                                                                                                   \
        int result =                                                                                                   \
            count + 1 < MOST_WORDS ? NATIVE(as)(path, (char *const *)words __VA_ARGS__) : (errno = E2BIG, -1);         \
        va_end(rest);                                                                                                  \
        return result;                                                                                                 \
    }
EXEC_LIST(execl, execv)
EXEC_LIST(execlp, execvp)
EXEC_LIST(execle, execve, , va_arg(rest, char *const *))
