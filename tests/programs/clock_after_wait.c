// expect: bug assertion
// Waiting for a lock can take as long as its holder sleeps.
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *sleeper(void *unused)
{
    pthread_mutex_lock(&mutex);
    sleep(2);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    time_t began = time(NULL);
    pthread_create(&thread, NULL, sleeper, NULL);
    pthread_mutex_lock(&mutex);
    assert(time(NULL) - began < 2);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}
