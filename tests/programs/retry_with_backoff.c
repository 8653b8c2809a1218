// expect: verified options: --strategy dlspor
// A lock made of a flag, with a back-off that grows and begins again: nobody's stack is the same in the next round, but after some.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int count;

static void *work(void *unused)
{
    int tries = 0, free = 0;
    while (!atomic_compare_exchange_strong(&taken, &free, 1)) {
        free = 0;
        tries = (tries + 1) % 5;
    }
    count++;
    atomic_store(&taken, 0);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 2);
    return 0;
}
