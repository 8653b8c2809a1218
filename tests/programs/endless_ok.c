// expect: verified
// Philosophers who eat for ever, and take the lower fork first: nobody waits for ever, and nobody spins.
#include <pthread.h>
#include <stddef.h>

enum { N = 3 };

static pthread_mutex_t forks[N] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *eat(void *number)
{
    size_t at = (size_t)number, next = (at + 1) % N, left = at < next ? at : next, right = at < next ? next : at;
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
