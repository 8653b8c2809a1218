// expect: bug race
// A relaxed addition of nothing after a release fence, against a relaxed load before an acquire fence.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

int data;
static atomic_int flag;

static void *worker(void *unused)
{
    (void)unused;
    atomic_load_explicit(&flag, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    data = 2;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    data = 1;
    atomic_thread_fence(memory_order_release);
    atomic_fetch_add_explicit(&flag, 0, memory_order_relaxed);
    pthread_join(thread, NULL);
    return 0;
}
