// N threads count in the mutex of their pair, then in that of all, TURNS times: two levels of locks, never nested.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif
enum { TURNS = 2 };

static struct {
    pthread_mutex_t mutex;
    int count;
} pair[(N + 1) / 2], all = {PTHREAD_MUTEX_INITIALIZER, 0};

static void *teller(void *number)
{
    const int me = (int)(intptr_t)number;
    for (int i = 0; i < TURNS; i++) {
        pthread_mutex_lock(&pair[me / 2].mutex);
        int so_far = ++pair[me / 2].count;
        pthread_mutex_unlock(&pair[me / 2].mutex);
        if (so_far % 2)
            continue;
        pthread_mutex_lock(&all.mutex);
        all.count += 2;
        pthread_mutex_unlock(&all.mutex);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[N];
    for (int i = 0; i < (N + 1) / 2; i++)
        pthread_mutex_init(&pair[i].mutex, NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&thread[i], NULL, teller, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], NULL);
    assert(all.count == N * TURNS);
    return 0;
}
