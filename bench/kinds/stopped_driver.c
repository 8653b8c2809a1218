// expect: verified
// Requests enter a driver that may be stopped: who stops it waits until the last request has left.
#include <assert.h>
#include <pthread.h>

enum { REQUESTS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
static int inside = 1, stopping, stopped;

static void leave(void)
{
    pthread_mutex_lock(&lock);
    if (!--inside)
        pthread_cond_signal(&idle);
    pthread_mutex_unlock(&lock);
}

static void *request(void *nothing)
{
    pthread_mutex_lock(&lock);
    int entered = !stopping;
    inside += entered;
    pthread_mutex_unlock(&lock);
    if (!entered)
        return nothing;
    pthread_mutex_lock(&lock);
    assert(!stopped);
    pthread_mutex_unlock(&lock);
    leave();
    return nothing;
}

static void *stop(void *nothing)
{
    pthread_mutex_lock(&lock);
    stopping = 1;
    inside--;
    while (inside)
        pthread_cond_wait(&idle, &lock);
    stopped = 1;
    pthread_mutex_unlock(&lock);
    return nothing;
}

int main(void)
{
    pthread_t threads[REQUESTS + 1];
    for (int i = 0; i <= REQUESTS; i++)
        pthread_create(&threads[i], 0, i < REQUESTS ? request : stop, 0);
    for (int i = 0; i <= REQUESTS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
