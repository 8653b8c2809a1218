// expect: verified
// To wait with a mutex that checks, or a robust one, without holding it is an error that POSIX defines.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t checks = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP, robust;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *waits(void *argument)
{
    struct timespec until = {.tv_sec = 1};
    assert(pthread_cond_wait(&c, &checks) == EPERM && pthread_cond_timedwait(&c, &checks, &until) == EPERM);
    assert(pthread_cond_wait(&c, &robust) == EPERM);
    return argument;
}

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_t t;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &attributes);
    pthread_create(&t, NULL, waits, NULL);
    pthread_join(t, NULL);
    return 0;
}
