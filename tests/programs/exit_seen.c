// expect: bug assertion
// What an exit handler sees depends on when exit() is called.
#include <pthread.h>
#include <stddef.h>
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int window;

static void at_exit(void)
{
    assert(atomic_load(&window) == 0);
}

static void *first(void *unused)
{
    (void)unused;
    atomic_store(&window, 1);
    atomic_store(&window, 0);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    exit(0);
    return NULL;
}

int main(void)
{
    atexit(at_exit);
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
