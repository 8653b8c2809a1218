// expect: verified
// A thread that may be cancelled where it prints, and need not be: both happen, and a handler unlocks.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int worked;

static void unlock(void *mutex)
{
    pthread_mutex_unlock(mutex);
}

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    puts("working");
    worked = 1;
    pthread_cleanup_pop(1);
    return unused;
}

int main(void)
{
    pthread_t worker;
    void *result;
    pthread_create(&worker, NULL, work, NULL);
    pthread_cancel(worker);
    pthread_join(worker, &result);
    pthread_mutex_lock(&lock);
    assert(worked || result == PTHREAD_CANCELED);
    assert(!worked || result == NULL);
    pthread_mutex_unlock(&lock);
}
