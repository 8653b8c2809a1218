// expect: verified executions=9
// What is written before a barrier may be read after it.
#include <assert.h>
#include <pthread.h>

enum { THREADS = 3 };
static pthread_barrier_t barrier;
static int cell[THREADS], serial[THREADS];

static void *worker(void *number)
{
    long own = (long)number;
    for (int round = 0; round < 2; round++) {
        cell[own] = round + 1;
        serial[own] += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
        assert(cell[(own + 1) % THREADS] == round + 1);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(serial[0] + serial[1] + serial[2] == 2);
    pthread_barrier_destroy(&barrier);
    return 0;
}
