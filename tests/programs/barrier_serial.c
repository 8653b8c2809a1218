// expect: bug assertion
// Any of the threads may be told that it is the serial one, not only the first.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;

static void *worker(void *number)
{
    int answer = pthread_barrier_wait(&barrier);
    assert((answer == PTHREAD_BARRIER_SERIAL_THREAD) == (number == 0));
    return NULL;
}

int main(void)
{
    pthread_t other;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&other, NULL, worker, &other);
    worker(NULL);
    pthread_join(other, NULL);
}
