// expect: verified
// A semaphore as a mutex, and one that hands over data.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t mutex, full;
static int data, count;

static void *producer(void *unused)
{
    (void)unused;
    data = 42;
    sem_post(&full);
    sem_wait(&mutex);
    count++;
    sem_post(&mutex);
    return NULL;
}

static void *consumer(void *unused)
{
    (void)unused;
    sem_wait(&full);
    assert(data == 42);
    sem_wait(&mutex);
    count++;
    sem_post(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    sem_init(&mutex, 0, 1);
    sem_init(&full, 0, 0);
    pthread_create(&one, NULL, consumer, NULL);
    pthread_create(&two, NULL, producer, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(count == 2);
    sem_destroy(&full);
    return 0;
}
