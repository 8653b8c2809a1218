// expect: verified executions=4
// Each order of the two, the second one while the first holds the mutex or after.
#include <pthread.h>
#include <stddef.h>
#include <assert.h>
#include <errno.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count; // protected by the mutex

static void *worker(void *unused)
{
    (void)unused;
    int result = pthread_mutex_trylock(&mutex);
    if (result == 0) {
        count++;
        pthread_mutex_unlock(&mutex);
    } else {
        assert(result == EBUSY);
    }
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(count == 1 || count == 2);
    return 0;
}
