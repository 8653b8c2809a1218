// expect: verified executions=1
// Creation and join order the accesses of parent and child.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int value;

static void *child(void *unused)
{
    (void)unused;
    assert(value == 1);
    value = 2;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    value = 1;
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, NULL);
    assert(value == 2);
    return 0;
}
