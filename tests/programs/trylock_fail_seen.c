// expect: bug assertion
// A trylock may find the mutex taken.
#include <pthread.h>
#include <stddef.h>
#include <assert.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
    (void)unused;
    int result = pthread_mutex_trylock(&mutex);
    assert(result == 0);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
