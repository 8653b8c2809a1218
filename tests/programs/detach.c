// expect: verified
// Detached threads, by attribute and by pthread_detach; main waits for them by a condition variable.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void *worker(void *detach_itself)
{
    if (detach_itself)
        pthread_detach(pthread_self());
    pthread_mutex_lock(&mutex);
    done++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, worker, NULL);
    pthread_attr_destroy(&attributes);
    pthread_create(&thread, NULL, worker, &done);

    pthread_mutex_lock(&mutex);
    while (done < 2)
        pthread_cond_wait(&changed, &mutex);
    assert(done == 2);
    pthread_mutex_unlock(&mutex);
    return 0;
}
