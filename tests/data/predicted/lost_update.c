// expect: atomicity harmful
// Atomics that are read and written one after the other.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int count;

static void begin(void)
{
}

static void finish(void)
{
    printf("%d\n", atomic_load(&count));
}

static void *one(void *unused)
{
    int now = atomic_load_explicit(&count, memory_order_relaxed);
    atomic_store_explicit(&count, now + 1, memory_order_relaxed);
    return unused;
}

static void *two(void *unused)
{
    return one(unused);
}

int main(void)
{
    pthread_t a, b;
    begin();
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    finish();
    return 0;
}
