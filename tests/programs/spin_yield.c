// expect: verified
// A spin lock that yields the processor while it waits.
#include <pthread.h>
#include <stddef.h>
#include <assert.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int taken;
static int count; // protected by the spin lock

static void *worker(void *unused)
{
    (void)unused;
    int expected = 0;
    while (!atomic_compare_exchange_weak(&taken, &expected, 1)) {
        expected = 0;
        sched_yield();
    }
    count++;
    atomic_store(&taken, 0);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(count == 2);
    return 0;
}
