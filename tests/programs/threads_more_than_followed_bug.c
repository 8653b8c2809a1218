// expect: bug assertion options: --max-executions 20
// The same, with a bug that shows among those that are followed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 400 };

static atomic_int flag;

static void *thread(void *argument)
{
    assert(!flag);
    return argument;
}

static void *setter(void *argument)
{
    flag = 1;
    return argument;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, i == 1 ? setter : thread, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
}
