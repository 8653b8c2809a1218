// expect: bug assertion options: --spurious
// Asking once before waiting is right only if nobody is woken without a signal.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int done;

static void *wait(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (!done)
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
