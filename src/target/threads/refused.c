// Calls that heddle does not follow yet: they stop the search with their name and a way around, never silently wrong.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include "target/threads/engine.h"
#include "target/threads/native.h"
#include "target/threads/public.h"

static _Noreturn void refuse(struct thread *t, const char *name, const char *instead)
{
    static char sentence[256];
    char *to = sentence;
    for (const char *part = "the program calls "; *part;)
        *to++ = *part++;
    for (const char *part = name; *part;)
        *to++ = *part++;
    for (const char *part = ", which heddle does not follow: "; *part;)
        *to++ = *part++;
    for (const char *part = instead; *part;)
        *to++ = *part++;
    *to = 0;
    unsupported(t, sentence);
}

#define REFUSED(result, name, parameters, arguments, instead)                                                          \
    PUBLIC result name parameters                                                                                      \
    {                                                                                                                  \
        if (engine.running)                                                                                            \
            refuse(engine.running, #name, instead);                                                                    \
        return NATIVE(name) arguments;                                                                                 \
    }

#define MUTEX "use a mutex and a condition variable instead"

REFUSED(int, pthread_rwlock_rdlock, (pthread_rwlock_t * l), (l), MUTEX)
REFUSED(int, pthread_rwlock_wrlock, (pthread_rwlock_t * l), (l), MUTEX)
REFUSED(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t * l), (l), MUTEX)
REFUSED(int, pthread_rwlock_trywrlock, (pthread_rwlock_t * l), (l), MUTEX)
REFUSED(int, pthread_rwlock_unlock, (pthread_rwlock_t * l), (l), MUTEX)
REFUSED(int, pthread_spin_lock, (pthread_spinlock_t * l), (l), "use a mutex instead")
REFUSED(int, pthread_spin_trylock, (pthread_spinlock_t * l), (l), "use a mutex instead")
REFUSED(int, pthread_spin_unlock, (pthread_spinlock_t * l), (l), "use a mutex instead")
REFUSED(int, pthread_barrier_wait, (pthread_barrier_t * b), (b), MUTEX)
REFUSED(int, sem_wait, (sem_t * s), (s), MUTEX)
REFUSED(int, sem_trywait, (sem_t * s), (s), MUTEX)
REFUSED(int, sem_post, (sem_t * s), (s), MUTEX)
REFUSED(int, pthread_mutex_timedlock, (pthread_mutex_t * m, const struct timespec *until), (m, until),
        "use pthread_mutex_lock or pthread_mutex_trylock")
REFUSED(int, pthread_cancel, (pthread_t t), (t), "let the thread end by itself")
REFUSED(int, pthread_kill, (pthread_t t, int number), (t, number), "use a flag instead of a signal")
REFUSED(pid_t, fork, (void), (), "start the other process outside the test")
REFUSED(pid_t, vfork, (void), (), "start the other process outside the test")
REFUSED(int, execve, (const char *path, char *const *argv, char *const *envp), (path, argv, envp),
        "start the other program outside the test")
