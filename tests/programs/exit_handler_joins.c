// expect: bug abort
// An exit handler stops a thread, waits for its end and aborts: the other thread runs while handlers do.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int stop;
static pthread_t thread;

static void *serve(void *nothing)
{
    pthread_mutex_lock(&mutex);
    while (!stop)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return nothing;
}

static void finish(void)
{
    pthread_mutex_lock(&mutex);
    stop = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    abort();
}

int main(void)
{
    atexit(finish);
    pthread_create(&thread, NULL, serve, NULL);
    return 0;
}
