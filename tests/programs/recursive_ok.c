// expect: verified executions=2
// A recursive mutex locked twice by its holder.
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <assert.h>

static pthread_mutex_t mutex;
static int count;

static void *worker(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    count++; // still held
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);

    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(count == 4);
    return 0;
}
