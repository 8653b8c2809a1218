// The plain access is what races, not the atomic one that its thread makes after it.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic int state;

static void *giver(void *unused)
{
    if (*(int *)&state == 0) // plain
        atomic_fetch_add_explicit(&state, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, giver, NULL);
    while (!atomic_load_explicit(&state, memory_order_relaxed))
        ;
    atomic_store_explicit(&state, 5, memory_order_relaxed);
    pthread_join(thread, NULL);
    return 0;
}
