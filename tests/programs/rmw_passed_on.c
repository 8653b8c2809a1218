// expect: verified
// A read-modify-write that passes on nothing new, but for itself: who has read what it leaves may use the variable plainly.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int state;

static void *set(void *unused)
{
    atomic_store_explicit(&state, 1, memory_order_release);
    atomic_fetch_or_explicit(&state, 4, memory_order_acq_rel);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    while (!(atomic_load_explicit(&state, memory_order_acquire) & 4))
        ;
    *(int *)&state = 0;
    pthread_join(thread, NULL);
    return 0;
}
