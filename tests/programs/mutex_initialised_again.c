// expect: verified
// A mutex and a readers-writer lock that were destroyed may be initialised again by assignment.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static pthread_rwlock_t lock;
static int count;

static void *add(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_rwlock_wrlock(&lock);
    count++;
    pthread_rwlock_unlock(&lock);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    for (int round = 0; round < 2; round++) {
        pthread_t other;
        mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
        lock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
        pthread_create(&other, NULL, add, NULL);
        add(NULL);
        pthread_join(other, NULL);
        pthread_mutex_destroy(&mutex);
        pthread_rwlock_destroy(&lock);
    }
    assert(count == 4);
}
