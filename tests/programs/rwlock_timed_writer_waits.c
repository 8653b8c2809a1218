// expect: verified
// A writer with a time-out keeps readers out as long as it waits, and no longer: then a reader that came meanwhile gets in.
// A try to read sees it waiting.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static const struct timespec soon = {1, 0};
static sem_t come;
static int written;

static void *writer(void *argument)
{
    if (!pthread_rwlock_timedwrlock(&lock, &soon)) {
        written = 1;
        pthread_rwlock_unlock(&lock);
    }
    return argument;
}

static void *reader(void *argument)
{
    int answer = pthread_rwlock_tryrdlock(&lock);
    assert(answer == 0 || answer == EBUSY);
    if (answer)
        pthread_rwlock_rdlock(&lock);
    sem_post(&come);
    pthread_rwlock_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t t, u;
    sem_init(&come, 0, 0);
    pthread_rwlock_rdlock(&lock);
    pthread_create(&t, 0, writer, 0);
    pthread_create(&u, 0, reader, 0);
    sem_wait(&come);
    int before = written;
    assert(!before);
    pthread_rwlock_unlock(&lock);
    pthread_join(t, 0);
    pthread_join(u, 0);
}
