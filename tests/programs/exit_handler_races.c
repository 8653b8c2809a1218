// expect: bug race
// A detached thread still uses what the exit handler takes down.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int table;

static void take_down(void)
{
    table = 0;
}

static void *use(void *nothing)
{
    pthread_mutex_lock(&mutex);
    table++;
    pthread_mutex_unlock(&mutex);
    return nothing;
}

int main(void)
{
    pthread_t thread;
    atexit(take_down);
    pthread_create(&thread, NULL, use, NULL);
    pthread_detach(thread);
    return 0;
}
