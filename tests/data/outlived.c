// A misuse of a call, by the name that is the first argument, in a function of its own so that it can be suppressed, and what
// the C library answers. With a second argument something fails afterwards, in the same thread; without it nothing does.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define IS(name) !strcmp(chosen, #name)

static const char *chosen;
static int fails;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static sem_t sem;
static int ready;

static void *nothing(void *argument)
{
    return argument;
}

static void *waits(void *argument)
{
    pthread_mutex_lock(&m);
    ready += !ready;
    while (ready == 1)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return argument;
}

static void *wakes(void *argument)
{
    pthread_mutex_lock(&m);
    ready = 2;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    return argument;
}

static void misuse(void)
{
    struct timespec soon = {0};
    pthread_t t;
    void *block = malloc(8);
    if (IS(lock_destroyed)) {
        pthread_mutex_destroy(&m);
        assert(pthread_mutex_lock(&m) == EINVAL);
    } else if (IS(try_destroyed)) {
        pthread_mutex_destroy(&m);
        assert(pthread_mutex_trylock(&m) == EINVAL);
    } else if (IS(timed_destroyed)) {
        pthread_mutex_destroy(&m);
        assert(pthread_mutex_timedlock(&m, &soon) == EINVAL);
    } else if (IS(unlock_destroyed)) {
        pthread_mutex_destroy(&m);
        assert(pthread_mutex_unlock(&m) == EINVAL);
    } else if (IS(destroy_destroyed)) {
        pthread_mutex_destroy(&m);
        assert(pthread_mutex_destroy(&m) == 0);
    } else if (IS(wait_with_destroyed)) {
        pthread_mutex_destroy(&m);
        assert(pthread_cond_wait(&c, &m) == EINVAL);
    } else if (IS(destroy_locked)) {
        pthread_mutex_lock(&m);
        assert(pthread_mutex_destroy(&m) == EBUSY && pthread_mutex_unlock(&m) == 0 && pthread_mutex_destroy(&m) == 0);
    } else if (IS(unlock_free)) {
        assert(pthread_mutex_unlock(&m) == 0 && pthread_mutex_trylock(&m) == 0 && pthread_mutex_unlock(&m) == 0);
    } else if (IS(unlock_anothers)) {
        assert(pthread_mutex_unlock(&held) == 0 && pthread_mutex_trylock(&held) == 0);
        assert(pthread_mutex_unlock(&held) == 0);
    } else if (IS(unlock_spin)) {
        assert(pthread_spin_unlock(&spin) == 0 && pthread_spin_trylock(&spin) == 0);
    } else if (IS(lock_uninitialised)) {
        pthread_mutex_t *fresh = malloc(sizeof *fresh);
        assert(pthread_mutex_lock(fresh) == 0 && pthread_mutex_trylock(fresh) == EBUSY && pthread_mutex_unlock(fresh) == 0);
        free(fresh);
    } else if (IS(cond_destroyed)) {
        pthread_cond_destroy(&c);
        assert(pthread_cond_signal(&c) == 0 && pthread_cond_broadcast(&c) == 0 && pthread_cond_destroy(&c) == 0);
    } else if (IS(wait_not_held)) {
        assert(pthread_cond_timedwait(&c, &m, &soon) == ETIMEDOUT && pthread_mutex_unlock(&m) == 0);
    } else if (IS(wait_not_held_recursive)) {
        pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
        assert(pthread_cond_wait(&c, &recursive) == EPERM);
    } else if (IS(destroy_waited_for)) {
        pthread_t other;
        pthread_create(&t, NULL, waits, NULL);
        pthread_create(&other, NULL, wakes, NULL);
        pthread_mutex_lock(&m);
        int seen = ready;
        pthread_mutex_unlock(&m);
        if (seen) // otherwise its thread may come to wait later, or not at all
            assert(pthread_cond_destroy(&c) == 0);
        pthread_join(t, NULL);
        pthread_join(other, NULL);
    } else if (IS(sem_destroyed)) {
        sem_destroy(&sem);
        assert(sem_wait(&sem) == 0 && sem_trywait(&sem) == -1 && sem_post(&sem) == 0);
    } else if (IS(barrier_destroyed)) {
        pthread_barrier_destroy(&barrier);
        assert(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
    } else if (IS(rw_unlock)) {
        assert(pthread_rwlock_unlock(&rw) == 0);
    } else if (IS(rw_destroy_held)) {
        pthread_rwlock_rdlock(&rw);
        assert(pthread_rwlock_destroy(&rw) == 0 && pthread_rwlock_unlock(&rw) == 0);
    } else if (IS(rw_destroyed)) {
        pthread_rwlock_destroy(&rw);
        assert(pthread_rwlock_wrlock(&rw) == 0 && pthread_rwlock_unlock(&rw) == 0);
    } else if (IS(join_twice)) {
        pthread_create(&t, NULL, nothing, NULL);
        assert(pthread_join(t, NULL) == 0 && pthread_join(t, NULL) == ESRCH);
    } else if (IS(join_detached)) {
        pthread_create(&t, NULL, nothing, NULL);
        pthread_detach(t);
        assert(pthread_join(t, NULL) == EINVAL);
    } else if (IS(detach_joined)) {
        pthread_create(&t, NULL, nothing, NULL);
        pthread_join(t, NULL);
        assert(pthread_detach(t) == ESRCH);
    } else if (IS(double_free)) {
        free(block);
        free(block);
        block = NULL;
    } else if (IS(bad_free)) {
        free((char *)block + 1);
    } else {
        abort();
    }
    free(block);
}

static void *holds(void *argument)
{
    pthread_mutex_lock(&held);
    return argument;
}

static void *works(void *argument)
{
    misuse();
    if (fails) {
        pthread_mutex_lock(&held);
        assert(!"what comes after the misuse");
    }
    return argument;
}

int main(int argc, char **argv)
{
    pthread_t a, b;
    chosen = argv[1];
    fails = argc > 2;
    pthread_barrier_init(&barrier, NULL, 1);
    pthread_spin_init(&spin, 0);
    sem_init(&sem, 0, 1);
    if (IS(unlock_anothers)) {
        pthread_create(&a, NULL, holds, NULL);
        pthread_join(a, NULL);
    }
    pthread_create(&a, NULL, works, NULL);
    pthread_create(&b, NULL, nothing, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
