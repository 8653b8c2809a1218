// expect: incomplete
// Looks again and again whether the other is done, with a lock and, at the end, without a call that could be seen: it
// has to let the other go on, and it does not wait for ever.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int work;
static atomic_int done;

static void *three_times(void *unused)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&mutex);
        work++;
        pthread_mutex_unlock(&mutex);
    }
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    atomic_store(&done, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, three_times, NULL);
    while (seen < 2) {
        pthread_mutex_lock(&mutex);
        seen = work;
        pthread_mutex_unlock(&mutex);
        usleep(100);
    }
    while (!atomic_load(&done))
        sched_yield();
    assert(work == 3);
    pthread_join(thread, NULL);
    return 0;
}
