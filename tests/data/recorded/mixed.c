// Four threads do everything at the same time: what is recorded has to be possible.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t gate;
static sem_t slots;
static int entries, locked_add;

static void do_something(unsigned what)
{
    switch (what) {
    case 0:
        pthread_mutex_lock(&mutex);
        entries++;
        pthread_mutex_unlock(&mutex);
        break;
    case 1:
        sem_post(&slots);
        sem_wait(&slots);
        break;
    case 2:
        pthread_rwlock_rdlock(&table);
        pthread_rwlock_unlock(&table);
        break;
    case 3:
        pthread_rwlock_wrlock(&table);
        pthread_rwlock_unlock(&table);
        break;
    default:
        __asm__ volatile("lock incl %0" : "+m"(locked_add));
        free(malloc(40));
    }
}

static void *work(void *seed)
{
    unsigned random = (unsigned)(long)seed;
    for (int i = 0; i < 2000; i++) {
        random = random * 1103515245 + 12345;
        do_something(random >> 16 & 7);
        if (i % 500 == 0)
            pthread_barrier_wait(&gate);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[4];
    sem_init(&slots, 0, 1);
    pthread_barrier_init(&gate, NULL, 4);
    for (long i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
