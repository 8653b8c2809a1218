// expect: verified executions=5 options: --spurious=2
// Asking again is right however often a thread is woken without a signal.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int done;

static void *wait(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!done)
        pthread_cond_wait(&ready, &mutex);
    assert(done);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, wait, NULL);
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    return 0;
}
