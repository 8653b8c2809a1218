// expect: bug use-after-free
// The handler frees under the lock what a thread that is still running uses under the lock.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *table;

static void take_down(void)
{
    pthread_mutex_lock(&mutex);
    free(table);
    pthread_mutex_unlock(&mutex);
}

static void *use(void *nothing)
{
    pthread_mutex_lock(&mutex);
    *table += 1;
    pthread_mutex_unlock(&mutex);
    return nothing;
}

int main(void)
{
    pthread_t thread;
    table = calloc(1, sizeof *table);
    atexit(take_down);
    pthread_create(&thread, NULL, use, NULL);
    return 0;
}
