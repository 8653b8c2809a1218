// Messages by a flag: with relaxed accesses what was written before it races.
#include <pthread.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static atomic_int flag;
static int message;

static void *sender(void *unused)
{
    message = 1;
    atomic_store_explicit(&flag, 1, ORDER);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, sender, NULL);
    if (atomic_load_explicit(&flag, ORDER == memory_order_release ? memory_order_acquire : ORDER))
        message++;
    pthread_join(thread, NULL);
    return 0;
}
