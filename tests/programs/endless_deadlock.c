// expect: bug deadlock
// Philosophers who eat for ever. Going round is what they are meant to do; that all hold one fork and wait is the bug.
#include <pthread.h>
#include <stddef.h>

enum { N = 3 };

static pthread_mutex_t forks[N] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *eat(void *number)
{
    size_t left = (size_t)number, right = (left + 1) % N;
    for (;;) {
        pthread_mutex_lock(&forks[left]);
        pthread_mutex_lock(&forks[right]);
        pthread_mutex_unlock(&forks[right]);
        pthread_mutex_unlock(&forks[left]);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (size_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, eat, (void *)i);
    for (size_t i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
}
