// Calls that heddle does not follow yet: they stop the search with their name and a way around, never silently wrong.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/types.h>
#include <unistd.h>

#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/pthread/surface.h"

_Noreturn void refuse(struct thread *t, const char *name, const char *instead)
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

REFUSED(int, pthread_sigqueue, (pthread_t t, int number, const union sigval value), (t, number, value),
        "use pthread_kill, and pass the value in memory")
REFUSED(int, sigqueue, (pid_t process, int number, const union sigval value), (process, number, value),
        "use pthread_kill or kill, and pass the value in memory")
REFUSED(int, tgkill, (pid_t process, pid_t thread, int number), (process, thread, number), "use pthread_kill")
REFUSED(int, killpg, (pid_t group, int number), (group, number), "use pthread_kill")
REFUSED(unsigned, alarm, (unsigned seconds), (seconds), "use a time-out of the call that waits")
REFUSED(useconds_t, ualarm, (useconds_t first, useconds_t then), (first, then), "use a time-out of the call that waits")
REFUSED(int, setitimer,
        (enum __itimer_which which, const struct itimerval *restrict time, struct itimerval *restrict before),
        (which, time, before), "use a time-out of the call that waits")
REFUSED(int, timer_create, (clockid_t clock, struct sigevent *event, timer_t *timer), (clock, event, timer),
        "use a time-out of the call that waits")
REFUSED(int, pause, (void), (), "use a condition variable")
REFUSED(int, sigsuspend, (const sigset_t *set), (set), "use a condition variable")

// Calls by which very old programs clean up after themselves.
struct _pthread_cleanup_buffer;
void _pthread_cleanup_push(struct _pthread_cleanup_buffer *buffer, void (*routine)(void *), void *argument);
void _pthread_cleanup_pop(struct _pthread_cleanup_buffer *buffer, int run);
void _pthread_cleanup_push_defer(struct _pthread_cleanup_buffer *buffer, void (*routine)(void *), void *argument);
void _pthread_cleanup_pop_restore(struct _pthread_cleanup_buffer *buffer, int run);

#define CLEANUP "use pthread_cleanup_push as the header defines it"

REFUSED(void, _pthread_cleanup_push, (struct _pthread_cleanup_buffer * buffer, void (*routine)(void *), void *argument),
        (buffer, routine, argument), CLEANUP)
REFUSED(void, _pthread_cleanup_pop, (struct _pthread_cleanup_buffer * buffer, int run), (buffer, run), CLEANUP)
REFUSED(void, _pthread_cleanup_push_defer,
        (struct _pthread_cleanup_buffer * buffer, void (*routine)(void *), void *argument), (buffer, routine, argument),
        CLEANUP)
REFUSED(void, _pthread_cleanup_pop_restore, (struct _pthread_cleanup_buffer * buffer, int run), (buffer, run), CLEANUP)
