// expect: verified executions=24
// Threads that create threads: the four leaves draw numbers, in any order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int drawn;

static void *leaf(void *unused)
{
    (void)unused;
    int mine = atomic_fetch_add(&drawn, 1);
    assert(mine < 4);
    return NULL;
}

static void *branch(void *unused)
{
    (void)unused;
    pthread_t left, right;
    pthread_create(&left, NULL, leaf, NULL);
    pthread_create(&right, NULL, leaf, NULL);
    pthread_join(right, NULL);
    pthread_join(left, NULL);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, branch, NULL);
    pthread_create(&two, NULL, branch, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(atomic_load(&drawn) == 4);
    return 0;
}
