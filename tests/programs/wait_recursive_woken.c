// expect: verified
// The mutex that a wait keeps, being held twice, is still the waiter's when somebody signals without it, and is held as
// often as before. A trylock sees it held all the time.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int waits, ready;

static void *waiter(void *argument)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    waits = 1;
    pthread_cond_wait(&changed, &mutex);
    waits = 0;
    assert(ready);
    assert(pthread_mutex_unlock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    return argument;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&t, 0, waiter, 0);
    if (waits)
        assert(pthread_mutex_trylock(&mutex) == EBUSY);
    ready = 1;
    while (waits != 1)
        ;
    while (waits)
        pthread_cond_signal(&changed);
    pthread_join(t, 0);
}
