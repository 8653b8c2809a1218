// expect: bug race names: n
// Critical sections are the same in all teams; the second thread has none.
#include <pthread.h>
#include <stdio.h>

static int n;

static void *work(void *argument)
{
#pragma omp parallel num_threads(1)
    n++;
    return argument;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, work, NULL);
#pragma omp parallel num_threads(1)
#pragma omp critical
    n++;
    pthread_join(other, NULL);
    printf("%d\n", n);
    return 0;
}
