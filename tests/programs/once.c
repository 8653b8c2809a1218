// expect: verified executions=2
// pthread_once: what the first call did is done, and seen, when the second returns.
#include <pthread.h>
#include <stddef.h>
#include <assert.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value;

static void set(void)
{
    value++;
}

static void *worker(void *unused)
{
    (void)unused;
    pthread_once(&once, set);
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
