// expect: verified
// POSIX promises EPERM to a thread that unlocks a robust mutex of any type that it does not hold.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void *other(void *argument)
{
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    return argument;
}

int main(void)
{
    pthread_mutexattr_t robust;
    pthread_t thread;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &robust);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    pthread_create(&thread, 0, other, 0);
    pthread_mutex_lock(&mutex);
    assert(pthread_mutex_unlock(&mutex) == 0);
    pthread_join(thread, 0);
}
