// Threads that are alike: each takes the lock three times.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 6
#endif

enum { SECTIONS = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sections;

#if defined ARGUMENT || defined INDEX
static struct argument {
    int sections;
} arguments[THREADS];
#endif

static void *work(void *argument)
{
    (void)argument;
    int own = 0;
#ifdef HEAP
    int *counted = malloc(sizeof *counted);
    *counted = 0;
#elif defined STACK
    int *volatile counted_at = &own, *counted = counted_at;
#else
    int *counted = &own;
#endif
    for (int i = 0; i < SECTIONS; i++) {
        pthread_mutex_lock(&lock);
        sections++;
        pthread_mutex_unlock(&lock);
        ++*counted;
    }
    assert(*counted == SECTIONS);
#ifdef HEAP
    free(counted);
#endif
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (long i = 0; i < THREADS; i++) {
        void *argument = NULL;
#ifdef INDEX
        argument = (void *)i;
#endif
        pthread_create(&thread[i], NULL, work, argument);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert(sections == THREADS * SECTIONS);
    return 0;
}
