// omp_lock_t and omp_nest_lock_t. The first has room for a spin lock with every compiler (gcc's has four bytes), the second for
// a pointer.
#include <pthread.h>
#include <stdlib.h>

struct nest_lock {
    pthread_mutex_t mutex; // recursive
    int count;             // how often its owner holds it
};

void omp_init_lock(pthread_spinlock_t *lock)
{
    pthread_spin_init(lock, PTHREAD_PROCESS_PRIVATE);
}

void omp_init_lock_with_hint(pthread_spinlock_t *lock, int hint)
{
    (void)hint;
    omp_init_lock(lock);
}

void omp_destroy_lock(pthread_spinlock_t *lock)
{
    pthread_spin_destroy(lock);
}

void omp_set_lock(pthread_spinlock_t *lock)
{
    pthread_spin_lock(lock);
}

void omp_unset_lock(pthread_spinlock_t *lock)
{
    pthread_spin_unlock(lock);
}

int omp_test_lock(pthread_spinlock_t *lock)
{
    return !pthread_spin_trylock(lock);
}

void omp_init_nest_lock(struct nest_lock **lock)
{
    pthread_mutexattr_t recursive;
    if (!(*lock = calloc(1, sizeof **lock)))
        abort();
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&(*lock)->mutex, &recursive);
    pthread_mutexattr_destroy(&recursive);
}

void omp_init_nest_lock_with_hint(struct nest_lock **lock, int hint)
{
    (void)hint;
    omp_init_nest_lock(lock);
}

void omp_destroy_nest_lock(struct nest_lock **lock)
{
    pthread_mutex_destroy(&(*lock)->mutex);
    free(*lock);
    *lock = NULL;
}

void omp_set_nest_lock(struct nest_lock **lock)
{
    pthread_mutex_lock(&(*lock)->mutex);
    (*lock)->count++;
}

void omp_unset_nest_lock(struct nest_lock **lock)
{
    (*lock)->count--;
    pthread_mutex_unlock(&(*lock)->mutex);
}

int omp_test_nest_lock(struct nest_lock **lock)
{
    return pthread_mutex_trylock(&(*lock)->mutex) ? 0 : ++(*lock)->count;
}
