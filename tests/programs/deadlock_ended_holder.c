// expect: bug deadlock
// A mutex whose holder has ended without letting it go.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *forgets(void *unused)
{
    pthread_mutex_lock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, forgets, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}
