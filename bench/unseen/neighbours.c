// N threads raise a flag of their own and look at the next one's, ROUNDS times: atomics only, no waiting.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static atomic_int flag[N];
static int seen[N];

static void *neighbour(void *number)
{
    const int me = (int)(intptr_t)number;
    for (int i = 1; i <= ROUNDS; i++) {
        atomic_store(&flag[me], i);
        seen[me] += atomic_load(&flag[(me + 1) % N]);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[N];
    for (int i = 0; i < N; i++)
        pthread_create(&thread[i], NULL, neighbour, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
