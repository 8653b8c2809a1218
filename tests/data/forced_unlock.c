// T1 unlocks a mutex that it does not hold (suppressed); if it does so while T2 holds it, T3 gets in and finds s half done.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int s;

static void misuse(void)
{
    pthread_mutex_unlock(&m);
}

static void *intrudes(void *argument)
{
#ifndef RIGHT
    misuse();
#endif
    return argument;
}

static void *changes(void *argument)
{
    pthread_mutex_lock(&m);
    s = 1;
    s = 0;
    misuse();
    return argument;
}

static void *looks(void *argument)
{
    pthread_mutex_lock(&m);
    assert(s == 0);
    misuse();
    return argument;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, intrudes, NULL);
    pthread_create(&t[1], NULL, changes, NULL);
    pthread_create(&t[2], NULL, looks, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
