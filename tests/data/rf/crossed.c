// Two locks are taken in opposite orders only if a thread has read what one of two writers stored.
#include <pthread.h>
#include <stdatomic.h>

#ifndef WANTED
#define WANTED 2
#endif

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int go;

static void both(pthread_mutex_t *one, pthread_mutex_t *other)
{
    pthread_mutex_lock(one);
    pthread_mutex_lock(other);
    pthread_mutex_unlock(other);
    pthread_mutex_unlock(one);
}

static void *forth(void *unused)
{
    both(&a, &b);
    return unused;
}

static void *back(void *unused)
{
    if (atomic_load(&go) == WANTED)
        both(&b, &a);
    return unused;
}

static void *store(void *value)
{
    atomic_store(&go, (int)(long)value);
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], NULL, forth, NULL);
    pthread_create(&t[1], NULL, back, NULL);
    pthread_create(&t[2], NULL, store, (void *)1);
    pthread_create(&t[3], NULL, store, (void *)2);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
