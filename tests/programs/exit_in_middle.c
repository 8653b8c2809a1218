// expect: verified
// exit() by one thread while the other has more to do.
#include <pthread.h>
#include <stddef.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *first(void *unused)
{
    (void)unused;
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    atomic_fetch_add(&x, 10);
    exit(0);
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
