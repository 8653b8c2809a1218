// expect: verified
// pthread_once: the second caller waits while the first one's function is at visible operations.
#include <pthread.h>
#include <stddef.h>
#include <assert.h>
#include <stdatomic.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int step;
static int value;

static void set(void)
{
    atomic_fetch_add(&step, 1);
    value++;
    atomic_fetch_add(&step, 1);
}

static void *worker(void *unused)
{
    (void)unused;
    pthread_once(&once, set);
    assert(atomic_load(&step) == 2);
    assert(value == 1);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
