// Two stages: N - 1 threads set one value under its mutex, and then, under another mutex, a second one that is computed from
// it. One thread reads both in the same two stages. It is wrong where it comes between the stages of every thread that has
// begun.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 100
#endif

static pthread_mutex_t lock_first = PTHREAD_MUTEX_INITIALIZER, lock_second = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void *set_both(void *unused)
{
    pthread_mutex_lock(&lock_first);
    int set = first = 1;
    pthread_mutex_unlock(&lock_first);
    pthread_mutex_lock(&lock_second);
    second = set + 1;
    pthread_mutex_unlock(&lock_second);
    return unused;
}

static void *check(void *unused)
{
    pthread_mutex_lock(&lock_first);
    int seen = first;
    pthread_mutex_unlock(&lock_first);
    if (!seen)
        return unused;
    pthread_mutex_lock(&lock_second);
    assert(second == seen + 1);
    pthread_mutex_unlock(&lock_second);
    return unused;
}

int main(void)
{
    pthread_t thread[N];
    for (int i = 0; i < N; i++)
        pthread_create(&thread[i], NULL, i < N - 1 ? set_both : check, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
