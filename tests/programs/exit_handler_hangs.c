// expect: bug deadlock
// exit is called with a mutex held that the handler takes: the process never ends.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void finish(void)
{
    pthread_mutex_lock(&mutex);
}

static void *leave(void *nothing)
{
    pthread_mutex_lock(&mutex);
    exit(0);
    return nothing;
}

int main(void)
{
    pthread_t thread;
    atexit(finish);
    pthread_create(&thread, NULL, leave, NULL);
    pthread_join(thread, NULL);
    return 0;
}
