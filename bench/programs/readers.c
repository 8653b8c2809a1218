// One writer and N readers of one cell: each reader before or after the write, 2^N traces (65,536 for N = 16).
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 16
#endif

static atomic_int cell;

static void *writer(void *unused)
{
    (void)unused;
    atomic_store(&cell, 1);
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
    pthread_create(&thread[0], NULL, writer, NULL);
    for (int i = 1; i <= N; i++)
        pthread_create(&thread[i], NULL, reader, NULL);
    for (int i = 0; i <= N; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
