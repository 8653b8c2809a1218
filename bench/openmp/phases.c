// Three threads add to a sum by atomics, meet, and add again.
#ifdef _OPENMP
static int sum;

int main(void)
{
#pragma omp parallel num_threads(3)
    for (int i = 0; i < 2; i++) {
#pragma omp atomic
        sum++;
#pragma omp atomic
        sum++;
#pragma omp barrier
    }
    return 0;
}
#else
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;
static pthread_barrier_t met;

static void *work(void *argument)
{
    for (int i = 0; i < 2; i++) {
        atomic_fetch_add_explicit(&sum, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&sum, 1, memory_order_relaxed);
        pthread_barrier_wait(&met);
    }
    return argument;
}

int main(void)
{
    pthread_t thread[2];
    pthread_barrier_init(&met, 0, 3);
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], 0, work, 0);
    work(0);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], 0);
    return 0;
}
#endif
