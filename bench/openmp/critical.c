// Three threads count in a critical section, twice each.
#ifdef _OPENMP
static int count;

int main(void)
{
#pragma omp parallel num_threads(3)
    for (int i = 0; i < 2; i++) {
#pragma omp critical
        count++;
    }
    return 0;
}
#else
#include <pthread.h>

static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
    }
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
