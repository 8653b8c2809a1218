// Last zero (Abdulla, Aronis, Jonsson, Sagonas 2014): writer j makes cell j one more than cell j - 1, for j = 1..N; a
// reader goes down from cell N to the first that is zero. (N + 3) * 2^(N - 2) traces for N from 2 on: 64 for N = 5,
// 3,328 for N = 10, 147,456 for N = 15.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 10
#endif

static atomic_int cell[N + 1];

static void *writer(void *number)
{
    intptr_t j = (intptr_t)number;
    atomic_store(&cell[j], atomic_load(&cell[j - 1]) + 1);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    int i = N;
    while (atomic_load(&cell[i]) != 0) // nobody writes cell 0
        i--;
    return NULL;
}

int main(void)
{
    pthread_t thread[N + 1];
    pthread_create(&thread[0], NULL, reader, NULL);
    for (intptr_t j = 1; j <= N; j++)
        pthread_create(&thread[j], NULL, writer, (void *)j);
    for (int j = 0; j <= N; j++)
        pthread_join(thread[j], NULL);
    return 0;
}
