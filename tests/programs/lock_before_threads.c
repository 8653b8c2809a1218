// expect: verified executions=2 options: --strategy dfs --restart replay
// What main locks before there is anybody else is free again in the next execution.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int cell;

static void *other(void *unused)
{
    (void)unused;
    atomic_store(&cell, 1);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, other, NULL);
    (void)atomic_load(&cell);
    pthread_join(thread, NULL);
    return 0;
}
