// expect: bug race
// Each thread's compare-and-swap fails, and writes what it found to the variable with the expected value, which they share.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state = 5;
static int expected;

static void *look(void *unused)
{
    atomic_compare_exchange_strong(&state, &expected, 7);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, look, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return expected != 5;
}
