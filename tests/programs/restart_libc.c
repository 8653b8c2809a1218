// expect: verified executions=2
// What the C library keeps for itself is put back too: the environment, and random numbers.
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int order;

static void *worker(void *unused)
{
    (void)unused;
    atomic_fetch_add(&order, 1);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(!getenv("HEDDLE_TEST_RESTART"));
    setenv("HEDDLE_TEST_RESTART", "1", 1);
    assert(rand() != rand());
    return 0;
}
