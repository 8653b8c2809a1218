// Two threads with K additions each to one variable: (2K)! / (K!)² executions.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;

static void *adder(void *unused)
{
    for (int i = 0; i < K; i++)
        atomic_fetch_add(&sum, 1);
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, adder, NULL);
    pthread_create(&other, NULL, adder, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(sum == 2 * K);
}
