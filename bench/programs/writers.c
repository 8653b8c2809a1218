// N writers of distinct values and one reader of one cell: every order counts, (N + 1)! traces (40,320 for N = 7).
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 7
#endif

static atomic_int cell;

static void *writer(void *number)
{
    atomic_store(&cell, (int)(intptr_t)number);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    (void)atomic_load(&cell);
    return NULL;
}

int main(void)
{
    pthread_t thread[N + 1];
    pthread_create(&thread[0], NULL, reader, NULL);
    for (int i = 1; i <= N; i++)
        pthread_create(&thread[i], NULL, writer, (void *)(intptr_t)i);
    for (int i = 0; i <= N; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
