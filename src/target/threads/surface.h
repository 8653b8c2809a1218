// What the families of calls need of each other: the calls themselves with the place they were called from, for those
// that are made of others (C11 threads, timed variants).
#ifndef TARGET_SURFACE_H
#define TARGET_SURFACE_H

#include <pthread.h>
#include <time.h>

#include "target/threads/engine.h"

#define HERE __builtin_return_address(0)

// pthreads.c
pthread_t handle_of(uint32_t actor);
struct thread *thread_of(pthread_t handle); // NULL if there is no such thread
int thread_join(struct thread *t, pthread_t handle, void **value, const void *pc);
int thread_tryjoin(struct thread *t, pthread_t handle, void **value, const void *pc); // EBUSY if it has not ended
int mutex_lock(struct thread *t, pthread_mutex_t *m, const void *pc);
int mutex_try(struct thread *t, pthread_mutex_t *m, const void *pc); // EBUSY if somebody has it
int mutex_unlock(struct thread *t, pthread_mutex_t *m, const void *pc);

// timed.c
//
// A call that waits at most until some time is a try that the search may put off: it gets what it wants if that is there
// when it is its turn, and its time runs out if not. So both are explored wherever both are possible, and a time never
// runs out where nobody would have to wait.
bool is_clock(clockid_t clock); // one that a time may be given by
int timed_out(struct thread *t, clockid_t clock, const struct timespec *until, const void *pc); // ETIMEDOUT or EINVAL

// A try could see when something is let go or ends: from now on that is visible.
void see_letting_go(struct thread *t);

// leave.c
_Noreturn void thread_end(struct thread *t, void *value); // of the running thread

#endif
