// Memory that is written atomically and read plainly, by main when all others have ended: no event shows which write came last.
#include <assert.h>
#include <pthread.h>

#ifndef BAD
#define BAD 1
#endif

static int x;

static void *store(void *value)
{
    __atomic_store_n(&x, (int)(long)value, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, store, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(x != BAD);
    return 0;
}
