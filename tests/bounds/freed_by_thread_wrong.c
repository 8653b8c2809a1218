// expect: bug use-after-free
// Another thread frees the block; whether it is used afterwards depends on the order.
#include <pthread.h>
#include <stdlib.h>

static int *shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *drop(void *argument)
{
    pthread_mutex_lock(&mutex);
    free(shared);
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void)
{
    pthread_t thread;
    int value = 0;
    shared = calloc(1, sizeof *shared);
    pthread_create(&thread, NULL, drop, NULL);
    pthread_mutex_lock(&mutex);
    if (shared)
        value = *shared;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return value == 1000;
}
