// expect: verified
// Two threads of the program's own begin regions at the same time.
#include <assert.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

static int sum[2];

static void *work(void *argument)
{
    int *mine = argument;
#pragma omp parallel num_threads(2)
    {
#pragma omp atomic
        *mine += 1 + omp_get_thread_num();
    }
    return NULL;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, work, &sum[0]);
    work(&sum[1]);
    pthread_join(other, NULL);
    assert(sum[0] == 3 && sum[1] == 3);
    printf("%d\n", sum[0] + sum[1]);
    return 0;
}
