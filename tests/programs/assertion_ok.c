// expect: verified executions=4
// The same with what really holds: at least one increment arrives.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int count;

static void *increment(void *unused)
{
    (void)unused;
    atomic_store(&count, atomic_load(&count) + 1);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, increment, NULL);
    pthread_create(&two, NULL, increment, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(atomic_load(&count) >= 1);
    return 0;
}
