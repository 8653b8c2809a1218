// expect: verified options: --races off --strategy dfs
// The loop looks at plain memory only. That the other thread has written there in the meantime ends it: no livelock.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int started;

static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    started = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    while (!started)
        __asm__ volatile("" ::: "memory"); // looks again
    pthread_join(thread, NULL);
}
