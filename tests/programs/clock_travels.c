// expect: verified
// Whoever comes after a thread that slept sees a clock that shows no less: by a join, a mutex, a readers-writer lock, a semaphore,
// a condition variable, a barrier, an atomic variable, a pipe.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static int ends[2];
static long under_mutex, under_rwlock;
static atomic_long last;

static long now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000 + now.tv_nsec;
}

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
}

static void *sleeper(void *how)
{
    nap();
    switch ((long)how) {
    case 0:
        pthread_mutex_lock(&mutex);
        nap();
        under_mutex = now();
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
        break;
    case 1:
        pthread_rwlock_wrlock(&rwlock);
        nap();
        under_rwlock = now();
        pthread_rwlock_unlock(&rwlock);
        break;
    case 2:
        sem_post(&semaphore);
        break;
    case 3:
        pthread_barrier_wait(&barrier);
        break;
    case 4:
        atomic_store_explicit(&last, now(), memory_order_relaxed);
        break;
    case 5:
        assert(write(ends[1], "", 1) == 1);
        break;
    }
    nap();
    return NULL;
}

static void meet(long how, long began)
{
    char byte;
    switch (how) {
    case 0:
        pthread_mutex_lock(&mutex);
        while (!under_mutex)
            pthread_cond_wait(&changed, &mutex);
        assert(under_mutex <= now() && now() - began >= 2000000000);
        pthread_mutex_unlock(&mutex);
        break;
    case 1:
        pthread_rwlock_rdlock(&rwlock);
        assert(under_rwlock <= now());
        pthread_rwlock_unlock(&rwlock);
        break;
    case 2:
        sem_wait(&semaphore);
        assert(now() - began >= 1000000000);
        break;
    case 3:
        pthread_barrier_wait(&barrier);
        assert(now() - began >= 1000000000);
        break;
    case 4:
        assert(atomic_load_explicit(&last, memory_order_relaxed) <= now());
        break;
    case 5:
        assert(read(ends[0], &byte, 1) == 1 && now() - began >= 1000000000);
        break;
    }
}

int main(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
    sem_init(&semaphore, 0, 0);
    if (pipe(ends))
        return 1;
    for (long how = 0; how < 6; how++) {
        pthread_t thread;
        long began = now();
        pthread_create(&thread, NULL, sleeper, (void *)how);
        meet(how, began);
        pthread_join(thread, NULL);
        assert(now() - began >= 2000000000);
    }
}
