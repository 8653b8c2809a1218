// expect: bug assertion
// Volatile accesses are scheduling points.
#include <pthread.h>
#include <stddef.h>
#include <assert.h>

static volatile int window;

static void *first(void *unused)
{
    (void)unused;
    window = 1;
    window = 0;
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    assert(window == 0);
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
