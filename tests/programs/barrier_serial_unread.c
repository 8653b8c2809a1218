// expect: verified executions=1
// Nobody asks which thread is the serial one.
#include <pthread.h>

enum { THREADS = 3 };
static pthread_barrier_t barrier;
static int cell[THREADS];

static void *worker(void *number)
{
    long own = (long)number;
    for (int round = 0; round < 4; round++) {
        cell[own]++;
        pthread_barrier_wait(&barrier);
        if (cell[(own + 1) % THREADS] != round + 1)
            __builtin_trap();
        (void)pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, worker, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
}
