// expect: verified
// Who tries to lock a mutex that it has, and that checks errors: in glibc it is told so by a robust one, and by one with a
// protocol of priorities.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>

static int tried_again(bool robust, int protocol)
{
    pthread_mutexattr_t attributes;
    pthread_mutex_t m;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    if (robust)
        pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_setprotocol(&attributes, protocol);
    pthread_mutex_init(&m, &attributes);
    pthread_mutexattr_destroy(&attributes);
    assert(!pthread_mutex_lock(&m));
    int result = pthread_mutex_trylock(&m);
    assert(pthread_mutex_lock(&m) == EDEADLK);
    assert(!pthread_mutex_unlock(&m));
    assert(!pthread_mutex_destroy(&m));
    return result;
}

int main(void)
{
    assert(tried_again(false, PTHREAD_PRIO_NONE) == EBUSY);
    assert(tried_again(true, PTHREAD_PRIO_NONE) == EDEADLK);
    assert(tried_again(false, PTHREAD_PRIO_INHERIT) == EDEADLK);
}
