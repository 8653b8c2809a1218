// expect: bug assertion
// How long threads sleep does not order them.
#include <pthread.h>
#include <stddef.h>
#include <assert.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int done;

static void *first(void *unused)
{
    (void)unused;
    nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
    atomic_store(&done, 1);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    nanosleep(&(struct timespec){.tv_nsec = 200 * 1000 * 1000}, NULL);
    assert(atomic_load(&done));
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
