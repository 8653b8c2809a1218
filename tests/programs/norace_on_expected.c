// expect: verified
// The expected values of compare-and-swaps are each thread's own, or under a lock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state = 5;
static __int128 wide = 5, wide_expected;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int expected;

static void *look(void *unused)
{
    int own = 0;
    atomic_compare_exchange_strong(&state, &own, 7);
    assert(own == 5);
    pthread_mutex_lock(&mutex);
    atomic_compare_exchange_weak(&state, &expected, 5);
    __atomic_compare_exchange_n(&wide, &wide_expected, 5, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, look, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(expected == 5 && wide_expected == 5);
}
