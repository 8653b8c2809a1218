// expect: bug race
// A race in one interleaving only: the plain store is skipped unless the window is seen open.
#include <pthread.h>
#include <stddef.h>
#include <stdatomic.h>

static atomic_int window;
int data;

static void *first(void *unused)
{
    (void)unused;
    atomic_store_explicit(&window, 1, memory_order_relaxed);
    data = 1;
    atomic_store_explicit(&window, 0, memory_order_relaxed);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    if (atomic_load_explicit(&window, memory_order_relaxed))
        data = 2;
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
