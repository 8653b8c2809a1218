// Uses what the constructor of library.c made.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

extern pthread_key_t key;
extern pthread_once_t once;
extern pthread_barrier_t barrier;
extern pthread_mutex_t mutex;
extern sem_t semaphore;
extern int times, handled, ends[2];
void count(void);

static void *use(void *value)
{
    assert(!pthread_getspecific(key) && !pthread_setspecific(key, value));
    pthread_once(&once, count);
    sem_wait(&semaphore);
    sem_post(&semaphore);
    pthread_barrier_wait(&barrier);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    assert(pthread_getspecific(key) == value);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_key_t other;
    assert(times == 1 && pthread_getspecific(key) == &key);
    assert(!pthread_key_create(&other, NULL) && other != key);
    pthread_create(&thread, NULL, use, &thread);
    sem_wait(&semaphore);
    sem_post(&semaphore);
    pthread_barrier_wait(&barrier);
    raise(SIGUSR1);
    assert(handled == SIGUSR1);
#ifdef PIPED
    char one;
    assert(read(ends[0], &one, 1) == 1 && one == 'x');
#endif
    pthread_join(thread, NULL);
    pthread_once(&once, count);
    assert(times == 1);
    return 0;
}
