#include "openmp/exclusion.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

static pthread_mutex_t unnamed = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t atomics = PTHREAD_MUTEX_INITIALIZER;

void heddle_omp_enter_unnamed(void)
{
    pthread_mutex_lock(&unnamed);
}

void heddle_omp_leave_unnamed(void)
{
    pthread_mutex_unlock(&unnamed);
}

void heddle_omp_enter_atomic(void)
{
    pthread_mutex_lock(&atomics);
}

void heddle_omp_leave_atomic(void)
{
    pthread_mutex_unlock(&atomics);
}

// The variable is too small for a mutex and points to one, which the first comer makes.
static pthread_mutex_t *mutex_of(void *name)
{
    pthread_mutex_t **place = name, *there = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (there)
        return there;
    pthread_mutex_t *made = malloc(sizeof *made);
    if (!made || pthread_mutex_init(made, NULL))
        abort();
    if (__atomic_compare_exchange_n(place, &there, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    pthread_mutex_destroy(made);
    free(made);
    return there;
}

void heddle_omp_enter_named(void *name)
{
    pthread_mutex_lock(mutex_of(name));
}

void heddle_omp_leave_named(void *name)
{
    pthread_mutex_unlock(mutex_of(name));
}
