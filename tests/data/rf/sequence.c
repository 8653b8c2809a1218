// A relaxed store continues the release sequence of its own thread, unless another thread has stored in between. Nobody reads
// what that one stored, so executions with it before, between and after are the same to every thread. Between, it makes a race.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int data;

static void *send(void *unused)
{
    data = 1;
    atomic_store_explicit(&x, 1, memory_order_release);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return unused;
}

static void *disturb(void *unused)
{
#ifndef QUIET
    atomic_store_explicit(&x, 3, memory_order_relaxed);
#endif
    return unused;
}

static void *receive(void *unused)
{
    if (atomic_load_explicit(&x, memory_order_acquire) == 2)
        data = 2;
    return unused;
}

int main(void)
{
    static void *(*const run[])(void *) = {send, disturb, receive};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, run[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
