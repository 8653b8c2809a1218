// Four threads with hundreds of lock operations each, far too many interleavings to run them all. The bug needs one
// preemption, at the very beginning: a search that changes the end of an execution first does not come to it.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef ROUNDS
#define ROUNDS 300
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int half_open, work;

static void set(int value)
{
    pthread_mutex_lock(&mutex);
    half_open = value;
    pthread_mutex_unlock(&mutex);
}

static void *worker(void *first)
{
    if (first) {
        set(1);
        set(0);
    } else {
        pthread_mutex_lock(&mutex);
        assert(!half_open);
        pthread_mutex_unlock(&mutex);
    }
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        work++;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, worker, i ? NULL : &work);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
