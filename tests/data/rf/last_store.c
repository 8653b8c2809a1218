// Two threads store, and main looks when both have ended: at the one or at the other.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef BAD
#define BAD 1
#endif

static atomic_int x;

static void *store(void *value)
{
    atomic_store(&x, (int)(long)value);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, store, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(atomic_load(&x) != BAD);
    return 0;
}
