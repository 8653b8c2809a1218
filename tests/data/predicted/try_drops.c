// expect: try-lock harmful
// record: try
// If the lock is taken, the job is not counted.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int jobs;

static void *count(void *unused)
{
    if (!pthread_mutex_trylock(&mutex)) {
        jobs++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    usleep(50000);
    pthread_mutex_lock(&mutex);
    jobs++;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    assert(jobs == 2);
    return 0;
}
