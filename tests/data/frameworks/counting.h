// Two threads count, safely or not, for suites whose tests fail now and then.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int counted;

static inline void *count_safely(void *none)
{
    atomic_fetch_add(&counted, 1);
    return none;
}

static inline void *count_badly(void *none)
{
    atomic_store(&counted, atomic_load(&counted) + 1);
    return none;
}

static inline int both(void *(*count)(void *))
{
    pthread_t a, b;
    counted = 0;
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counted;
}
