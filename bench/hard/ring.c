// A ring of locks: each of N threads takes its own lock and then its neighbour's, some rounds long. They deadlock only where all
// of them hold their own at the same time.
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 12
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static pthread_mutex_t lock[N];

static void *work(void *number)
{
    intptr_t own = (intptr_t)number;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock[own]);
        pthread_mutex_lock(&lock[(own + 1) % N]);
        pthread_mutex_unlock(&lock[(own + 1) % N]);
        pthread_mutex_unlock(&lock[own]);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_mutex_init(&lock[i], NULL);
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&thread[i], NULL, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
