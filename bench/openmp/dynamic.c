// Three threads share seven iterations, each taken when it is needed.
#ifdef _OPENMP
static int done[7];

int main(void)
{
#pragma omp parallel for schedule(dynamic) num_threads(3)
    for (int i = 0; i < 7; i++)
        done[i]++;
    return 0;
}
#else
#include <pthread.h>
#include <stdatomic.h>

static int done[7];
static atomic_int next;

static void *work(void *argument)
{
    for (int i; (i = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed)) < 7;)
        done[i]++;
    return argument;
}

int main(void)
{
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], 0, work, 0);
    work(0);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], 0);
    return 0;
}
#endif
