// expect: race benign
// Nothing orders the write and the read, though the read comes only if the pointer was seen.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static _Atomic(int *) published;

static void *one(void *unused)
{
    int *p = malloc(sizeof *p);
    *p = 7;
    atomic_store_explicit(&published, p, memory_order_relaxed);
    return unused;
}

static void *two(void *unused)
{
    usleep(200000);
    int *p = atomic_load_explicit(&published, memory_order_relaxed);
    if (p && *p != 7)
        abort();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
