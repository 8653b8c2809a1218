// wrong: lock-misuse. Each kind of lock that two processes use has to be made for that; which one is wrong says the argument.
#include "share.h"

#ifndef KIND
#define KIND 0
#endif

static struct shared {
    sem_t sem;
    pthread_mutex_t lock;
    pthread_cond_t cond;
    pthread_rwlock_t rwlock;
    pthread_barrier_t barrier;
    pthread_spinlock_t spin;
    int ready;
} *all;

static int for_several(int kind) { return WRONG && kind == KIND ? PTHREAD_PROCESS_PRIVATE : PTHREAD_PROCESS_SHARED; }

static void make(void)
{
    pthread_condattr_t cond;
    pthread_rwlockattr_t rwlock;
    pthread_barrierattr_t barrier;
    all = share(sizeof *all);
    share_mutex(&all->lock, 0);
    sem_init(&all->sem, for_several(0), 0);
    pthread_condattr_init(&cond);
    pthread_condattr_setpshared(&cond, for_several(1));
    pthread_cond_init(&all->cond, &cond);
    pthread_rwlockattr_init(&rwlock);
    pthread_rwlockattr_setpshared(&rwlock, for_several(2));
    pthread_rwlock_init(&all->rwlock, &rwlock);
    pthread_barrierattr_init(&barrier);
    pthread_barrierattr_setpshared(&barrier, for_several(3));
    pthread_barrier_init(&all->barrier, &barrier, 2);
    pthread_spin_init(&all->spin, for_several(4));
}

static void use(int child)
{
    switch (KIND) {
    case 0: child ? sem_post(&all->sem) : sem_wait(&all->sem); break;
    case 1:
        pthread_mutex_lock(&all->lock);
        if (child)
            all->ready = 1;
        while (!all->ready)
            pthread_cond_wait(&all->cond, &all->lock);
        if (child)
            pthread_cond_signal(&all->cond);
        pthread_mutex_unlock(&all->lock);
        break;
    case 2:
        pthread_rwlock_rdlock(&all->rwlock);
        pthread_rwlock_unlock(&all->rwlock);
        break;
    case 3: pthread_barrier_wait(&all->barrier); break;
    case 4:
        pthread_spin_lock(&all->spin);
        pthread_spin_unlock(&all->spin);
        break;
    }
}

int main(void)
{
    make();
    if (!fork()) {
        use(1);
        _exit(0);
    }
    use(0);
    wait(NULL);
}
