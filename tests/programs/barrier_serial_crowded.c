// expect: verified
// Four threads at a barrier for two: each round has one serial thread.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int serial;

static void *worker(void *unused)
{
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        serial++;
    return unused;
}

int main(void)
{
    pthread_t thread[4];
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    assert(serial == 2);
}
