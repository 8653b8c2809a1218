// expect: verified
// A spin lock by test-and-set: a spinner waits until the flag is cleared.
#include <pthread.h>
#include <stddef.h>
#include <assert.h>
#include <stdatomic.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int count; // protected by the spin lock

static void *worker(void *unused)
{
    (void)unused;
    while (atomic_flag_test_and_set(&taken))
        ;
    count++;
    atomic_flag_clear(&taken);
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
