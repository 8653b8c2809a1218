// expect: atomicity benign
// What main wrote before it created the thread may be anything when main looks again: that is what the thread is for.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int level;

static void *raise_level(void *unused)
{
    pthread_mutex_lock(&mutex);
    level = 2;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    level = 1;
    pthread_create(&thread, NULL, raise_level, NULL);
    pthread_mutex_lock(&mutex);
    int seen = level;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return seen != 1 && seen != 2;
}
