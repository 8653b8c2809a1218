// Other processes. They are started in the private working directory of an execution, run on their own, uncontrolled, and
// are ended with it.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
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

static pid_t start_copy(struct thread *t, const char *name, const void *pc)
{
    bool handled = name[0] == 'f'; // not by vfork
    if (handled)
        snapshot_before(t);
    outside(t, name, OUTSIDE_COPIES, pc);
    pid_t child = forking_plainly();
    if (!child)
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

OUTSIDE_CALL(OUTSIDE_STARTS, int, posix_spawn,
             (pid_t * child, const char *path, const posix_spawn_file_actions_t *actions,
              const posix_spawnattr_t *attributes, char *const *argv, char *const *envp),
             (child, path, actions, attributes, argv, envp))
OUTSIDE_CALL(OUTSIDE_STARTS, int, posix_spawnp,
             (pid_t * child, const char *path, const posix_spawn_file_actions_t *actions,
              const posix_spawnattr_t *attributes, char *const *argv, char *const *envp),
             (child, path, actions, attributes, argv, envp))
OUTSIDE_CALL(OUTSIDE_STARTS, int, system, (const char *command), (command))
OUTSIDE_CALL(OUTSIDE_STARTS, FILE *, popen, (const char *command, const char *mode), (command, mode))
OUTSIDE_CALL(OUTSIDE_USES, int, pclose, (FILE * file), (file))
OUTSIDE_CALL(OUTSIDE_USES, pid_t, wait, (int *status), (status))
OUTSIDE_CALL(OUTSIDE_USES, pid_t, waitpid, (pid_t child, int *status, int options), (child, status, options))
OUTSIDE_CALL(OUTSIDE_USES, pid_t, wait3, (int *status, int options, struct rusage *usage), (status, options, usage))
OUTSIDE_CALL(OUTSIDE_USES, pid_t, wait4, (pid_t child, int *status, int options, struct rusage *usage),
             (child, status, options, usage))
OUTSIDE_CALL(OUTSIDE_USES, int, waitid, (idtype_t type, id_t id, siginfo_t *info, int options),
             (type, id, info, options))

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
    if (!is_child(process))
        refuse(t, "kill for a process that it did not start", "send it to a thread, with pthread_kill");
    outside(t, "kill", OUTSIDE_USES, HERE);
    return NATIVE(kill)(process, number);
}
