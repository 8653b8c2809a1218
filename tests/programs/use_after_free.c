// expect: bug use-after-free
// Both sides hold the mutex, so there is no race; but who comes first decides whether the block is still there.
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *block;
int sum;

static void *first(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    sum += *block;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    free(block);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    block = calloc(1, sizeof *block);
    if (!block)
        return 1;
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
