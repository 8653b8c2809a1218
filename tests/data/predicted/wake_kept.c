// expect: nothing
// record: woken
// Looked at and changed under the mutex, and signalled behind it; the second wait is not looked at, and has a time-out.
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, late = PTHREAD_COND_INITIALIZER;
static int items, calls;

static void *consume(void *unused)
{
    struct timespec until;
    pthread_mutex_lock(&mutex);
    calls++;
    while (!items)
        pthread_cond_wait(&filled, &mutex);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_cond_timedwait(&late, &mutex, &until);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, consume, NULL);
    usleep(100000);
    pthread_mutex_lock(&mutex);
    calls++;
    items++;
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&filled);
    usleep(20000);
    pthread_cond_signal(&late);
    pthread_join(thread, NULL);
    return 0;
}
