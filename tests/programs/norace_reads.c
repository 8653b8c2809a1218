// expect: verified executions=1
// Reads alone do not race, and a plain write before the threads were created is ordered.
#include <pthread.h>
#include <stddef.h>
#include <assert.h>

static int value = 1;

static void *worker(void *unused)
{
    (void)unused;
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
    value = 2;
    assert(value == 2);
    return 0;
}
