// A library whose constructor makes things for the program, and with LEFT_LOCKED, STARTED or PIPED something that a library
// without hooks cannot hand over.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

pthread_key_t key;
pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_barrier_t barrier;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
sem_t semaphore;
pthread_t thread;
int times, handled, ends[2];

void count(void)
{
    times++;
}

static void handle(int number)
{
    handled = number;
}

static void finish(void)
{
    if (times > 1)
        abort();
}

static void *work(void *nothing)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return nothing;
}

__attribute__((constructor)) static void construct(void)
{
    pthread_key_t gone;
    pthread_key_create(&gone, NULL);
    pthread_key_create(&key, NULL);
    pthread_key_delete(gone);
    pthread_setspecific(key, &key);
    pthread_once(&once, count);
    pthread_barrier_init(&barrier, NULL, 2);
    sem_init(&semaphore, 0, 1);
    signal(SIGUSR1, handle);
    atexit(finish);
    pthread_mutex_lock(&mutex);
#ifndef LEFT_LOCKED
    pthread_mutex_unlock(&mutex);
#endif
#ifdef STARTED
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
#endif
#ifdef PIPED
    if (pipe(ends) || write(ends[1], "x", 1) != 1)
        abort();
#endif
    (void)work;
}

__attribute__((destructor)) static void destroy(void)
{
#ifdef ABORTS
    abort();
#endif
}
