// expect: bug race
// The mutex is initialised when a thread that uses it is running already.
#include <pthread.h>

static pthread_mutex_t mutex;
static int count;

static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_init(&mutex, NULL);
    pthread_join(thread, NULL);
}
