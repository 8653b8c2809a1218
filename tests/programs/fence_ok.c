// expect: verified executions=2
// Relaxed accesses with a fence on both sides order the plain data.
#include <pthread.h>
#include <stddef.h>
#include <assert.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *first(void *unused)
{
    (void)unused;
    data = 1;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        assert(data == 1);
    }
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
