// What a thread returns is part of the state as long as main may ask for it: one that chooses, and ends, leaves nothing else.
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <threads.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long got[2];

static int try(void)
{
    if (!pthread_mutex_trylock(&lock))
        pthread_mutex_unlock(&lock);
    return 1;
}

#ifdef C11
static int choosing(void *unused)
{
    (void)unused;
    return (int)heddle_choose(2);
}

static int trying(void *unused)
{
    (void)unused;
    return try();
}

int main(void)
{
    thrd_t t[2];
    int value;
    thrd_create(&t[0], choosing, NULL);
    thrd_create(&t[1], trying, NULL);
    thrd_join(t[0], &value);
    got[0] += value;
    thrd_join(t[1], &value);
    got[1] += value;
    assert(got[0] != WRONG);
    return 0;
}
#else
static void *choosing(void *unused)
{
    (void)unused;
    return (void *)(long)heddle_choose(2);
}

static void *trying(void *unused)
{
    (void)unused;
    return (void *)(long)try();
}

int main(void)
{
    pthread_t t[2];
    void *value;
    pthread_create(&t[0], NULL, choosing, NULL);
    pthread_create(&t[1], NULL, trying, NULL);
    pthread_join(t[0], &value);
    got[0] += (long)value;
    pthread_join(t[1], &value);
    got[1] += (long)value;
    assert(got[0] != WRONG);
    return 0;
}
#endif
