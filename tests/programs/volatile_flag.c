// expect: verified executions=2
// Volatile accesses are visible and do not race: message passing through volatile variables only.
#include <pthread.h>
#include <stddef.h>
#include <assert.h>

static volatile int data, ready;

static void *first(void *unused)
{
    (void)unused;
    data = 1;
    ready = 1;
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    if (ready)
        assert(data == 1);
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
