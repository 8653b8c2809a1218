// expect: verified executions=1
// An error-checking mutex returns its errors; to get one is no misuse.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;

static void *stranger(void *unused)
{
    (void)unused;
    int result = pthread_mutex_unlock(&mutex);
    assert(result == EPERM);
    return NULL;
}

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    int result = pthread_mutex_init(&mutex, &attributes);
    assert(result == 0);
    pthread_mutexattr_destroy(&attributes);

    result = pthread_mutex_unlock(&mutex);
    assert(result == EPERM);
    result = pthread_mutex_lock(&mutex);
    assert(result == 0);
    result = pthread_mutex_lock(&mutex);
    assert(result == EDEADLK);
    pthread_t thread;
    pthread_create(&thread, NULL, stranger, NULL);
    pthread_join(thread, NULL);
    result = pthread_mutex_unlock(&mutex);
    assert(result == 0);
    result = pthread_mutex_destroy(&mutex);
    assert(result == 0);
    return 0;
}
