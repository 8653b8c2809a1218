// expect: verified
// In C11 a relaxed store continues the release sequence that its own thread heads: whoever acquires it sees the value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;
static int value;

static void *publish(void *unused)
{
    value = 42;
    atomic_store_explicit(&state, 1, memory_order_release);
    atomic_store_explicit(&state, 2, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, publish, NULL);
    if (atomic_load_explicit(&state, memory_order_acquire) == 2)
        assert(value == 42);
    pthread_join(thread, NULL);
}
