// Two plain writes race, and main looks plainly when both have ended. With --races=explore only what it sees counts.
#include <assert.h>
#include <pthread.h>

#ifndef BAD
#define BAD 1
#endif

static int x;

static void *store(void *value)
{
    x = (int)(long)value;
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
