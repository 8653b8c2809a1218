// The same in a function that is run at the end of the process, where nothing is scheduled any more.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef BAD
#define BAD 1
#endif

static atomic_int x;

static void *store(void *value)
{
    atomic_store(&x, (int)(long)value);
    return NULL;
}

static void look(void)
{
    assert(atomic_load(&x) != BAD);
}

int main(void)
{
    pthread_t t[2];
    atexit(look);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, store, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
