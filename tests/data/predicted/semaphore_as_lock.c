// expect: atomicity harmful
// A semaphore with one token is a lock: an update that reads in one of its sections and writes in the next one may be lost.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t s;
static int count;

static __attribute__((noinline)) void add(void)
{
    sem_wait(&s);
    int now = count;
    sem_post(&s);
    sem_wait(&s);
    count = now + 1;
    sem_post(&s);
}

static void *work(void *unused)
{
    add();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&s, 0, 1);
    pthread_create(&a, NULL, work, NULL);
    usleep(100000);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 2);
    return 0;
}
