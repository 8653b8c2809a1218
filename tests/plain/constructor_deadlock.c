// expect: bug deadlock
// Also in a program without hooks, constructors and exit handlers are part of the execution.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_t thread;

static void *use(void *nothing)
{
    pthread_mutex_lock(&one);
    pthread_mutex_lock(&other);
    pthread_mutex_unlock(&other);
    pthread_mutex_unlock(&one);
    return nothing;
}

static void finish(void)
{
    pthread_mutex_lock(&other);
    pthread_mutex_lock(&one);
    pthread_mutex_unlock(&one);
    pthread_mutex_unlock(&other);
    pthread_join(thread, NULL);
}

__attribute__((constructor)) static void construct(void)
{
    atexit(finish);
    pthread_create(&thread, NULL, use, NULL);
}

int main(void)
{
    return 0;
}
