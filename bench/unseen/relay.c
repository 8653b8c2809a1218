// N runners hand a baton on, each waiting on one condition variable until it is its turn; then each signs a shared list, every other one twice.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, list_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t passed = PTHREAD_COND_INITIALIZER;
static int turn, list[2 * N], listed;

static void *runner(void *number)
{
    const int me = (int)(intptr_t)number;
    pthread_mutex_lock(&mutex);
    while (turn != me)
        pthread_cond_wait(&passed, &mutex);
    turn++;
    pthread_cond_broadcast(&passed);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i <= me % 2; i++) {
        pthread_mutex_lock(&list_mutex);
        list[listed++] = me;
        pthread_mutex_unlock(&list_mutex);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[N];
    for (int i = 0; i < N; i++)
        pthread_create(&thread[i], NULL, runner, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], NULL);
    assert(listed == N + N / 2);
    return 0;
}
