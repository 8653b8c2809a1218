// expect: bug deadlock
// The lock prefers writers. A reader waits for another one, which queues behind a writer that waits for the first.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static sem_t come;

static void *first(void *argument)
{
    pthread_rwlock_rdlock(&lock);
    sem_wait(&come);
    pthread_rwlock_unlock(&lock);
    return argument;
}

static void *writer(void *argument)
{
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return argument;
}

static void *second(void *argument)
{
    pthread_rwlock_rdlock(&lock);
    sem_post(&come);
    pthread_rwlock_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t t[3];
    sem_init(&come, 0, 0);
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, writer, 0);
    pthread_create(&t[2], 0, second, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
