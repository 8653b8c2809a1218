// A plain read of an atomic, against an exchange that stores what was there.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int flag;

static void *reader(void *unused)
{
    (void)unused;
    return (void *)(size_t) * (int *)&flag;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    atomic_exchange_explicit(&flag, 0, memory_order_relaxed);
    return 0;
}
