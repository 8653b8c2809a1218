// Waiting for other threads, for the calls of pthreads and those of C11 alike: what happens at `call` if the plan says so, and where
// in the program (`pc`). Each returns an error number.
#ifndef INJECTED_WAITS_H
#define INJECTED_WAITS_H

#include <pthread.h>
#include <time.h>

#include "injector/injector.h"

int injected_lock(enum injection_call call, pthread_mutex_t *m, const void *pc);
int injected_timedlock(enum injection_call call, pthread_mutex_t *m, clockid_t clock, const struct timespec *until,
                       const void *pc);
int injected_trylock(pthread_mutex_t *m, const void *pc);
int injected_unlock(pthread_mutex_t *m, const void *pc);

int injected_wait(pthread_cond_t *c, pthread_mutex_t *m, const void *pc);
int injected_timedwait(enum injection_call call, pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until,
                       const void *pc);
int injected_signal(pthread_cond_t *c, bool all, const void *pc);

int injected_join(pthread_t handle, void **value, const void *pc);
int injected_once(pthread_once_t *once, void (*run)(void));

// As nanosleep: -1 with errno set if it was interrupted, and what is left.
int injected_sleep(enum injection_call call, const struct timespec *time, struct timespec *left, const void *pc);

#endif
