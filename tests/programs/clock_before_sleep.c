// expect: verified
// What a thread does after it has let the lock go takes nobody else's time.
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *sleeper(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    sleep(2);
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
