// expect: verified options: --memory-errors
// What a thread decides by is written before that thread is there.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *limit;

static void *check_limit(void *nothing)
{
    pthread_mutex_lock(&mutex);
    if (*limit > 10)
        puts("much");
    pthread_mutex_unlock(&mutex);
    return nothing;
}

int main(void)
{
    pthread_t thread;
    limit = malloc(sizeof *limit);
    *limit = 1;
    pthread_create(&thread, 0, check_limit, 0);
    pthread_mutex_lock(&mutex);
    *limit = 5;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    free(limit);
    return 0;
}
