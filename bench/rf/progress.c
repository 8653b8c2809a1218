// N workers report K steps each to one variable that a monitor looks at twice.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#ifndef K
#define K 2
#endif

static atomic_int progress;

static void *work(void *number)
{
    for (int i = 0; i < K; i++)
        atomic_store(&progress, (int)(long)number * K + i);
    return NULL;
}

static void *watch(void *unused)
{
    for (int i = 0; i < 2; i++)
        (void)atomic_load(&progress);
    return unused;
}

int main(void)
{
    pthread_t t[N + 1];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, work, (void *)(i + 1));
    pthread_create(&t[N], NULL, watch, NULL);
    for (int i = 0; i <= N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
