// expect: bug race
// A spin lock whose release is relaxed protects nothing.
#include <pthread.h>
#include <stddef.h>
#include <stdatomic.h>

static atomic_int taken;
int count;

static void *worker(void *unused)
{
    (void)unused;
    while (atomic_exchange_explicit(&taken, 1, memory_order_acquire))
        ;
    count++;
    atomic_store_explicit(&taken, 0, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
