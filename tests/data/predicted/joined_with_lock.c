// expect: deadlock harmful
// main joins a thread with the lock that this one takes.
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *unused)
{
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    usleep(100000);
    pthread_mutex_lock(&mutex);
    count++;
    pthread_join(thread, NULL);
    pthread_mutex_unlock(&mutex);
    return 0;
}
