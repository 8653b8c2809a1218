// expect: bug assertion
// Two threads wait, in a known order; a signal may wake either, not only the one that has waited longer.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER, permitted = PTHREAD_COND_INITIALIZER;
static int waiting, permits, first_out;

static void *waiter(void *number)
{
    pthread_mutex_lock(&mutex);
    waiting++;
    pthread_cond_signal(&changed);
    while (!permits)
        pthread_cond_wait(&permitted, &mutex);
    permits--;
    if (!first_out)
        first_out = (int)(intptr_t)number;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t thread[2];
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < 2; i++) { // the second starts when the first waits
        pthread_create(&thread[i], NULL, waiter, (void *)(intptr_t)(i + 1));
        while (waiting != i + 1)
            pthread_cond_wait(&changed, &mutex);
    }
    permits = 1;
    pthread_cond_signal(&permitted);
    while (!first_out)
        pthread_cond_wait(&changed, &mutex);
    permits = 1;
    pthread_cond_signal(&permitted);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    assert(first_out == 1);
    return 0;
}
