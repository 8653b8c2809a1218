// expect: bug race
// Message passing through relaxed atomics orders nothing.
#include <pthread.h>
#include <stddef.h>
#include <stdatomic.h>

int data;
static atomic_int ready;

static void *first(void *unused)
{
    (void)unused;
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        data = 2;
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
