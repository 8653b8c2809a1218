// expect: verified executions=2
// main ends by pthread_exit: the process goes on until the last thread has ended.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int count;

static void *worker(void *unused)
{
    (void)unused;
    int before = atomic_fetch_add(&count, 1);
    assert(before == 0 || before == 1);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_detach(one);
    pthread_detach(two);
    pthread_exit(NULL);
}
