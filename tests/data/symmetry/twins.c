// Threads that run one function and are not alike: each case fails only if a particular one of them comes first.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { THREADS = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, free_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t thread[THREADS];
static int done; // how many have come by, under the lock

// The last of the threads must not be the first to come by.
static void come_by(int is_last)
{
    pthread_mutex_lock(&lock);
    assert(!(is_last && done == 0));
    done++;
    pthread_mutex_unlock(&lock);
}

// Something to do first, so that nobody knows yet who it is. Main holds the lock until all threads are there.
static void begin(void)
{
    pthread_mutex_lock(&free_lock);
    pthread_mutex_unlock(&free_lock);
}

#ifdef KEY
static pthread_key_t key;
#endif

static struct item {
    int number;
} items[THREADS];
static _Thread_local int own_number;
static _Atomic(void *) stand[THREADS];

static void stand_at(long where, void *what)
{
    atomic_store(&stand[where], what);
}

static void *stands_at(long where)
{
    return atomic_load(&stand[where]);
}

static void *work(void *argument)
{
    (void)argument;
#if defined ARGUMENT
    begin();
    come_by((long)argument == THREADS - 1);
#elif defined CONTENT
    begin();
    come_by(((struct item *)argument)->number == THREADS - 1);
#elif defined POSITION
    begin();
    come_by((struct item *)argument - items == THREADS - 1);
#elif defined HANDLE
    begin();
    come_by(pthread_equal(pthread_self(), thread[THREADS - 1]));
#elif defined NUMBER
    begin();
    come_by(gettid() == getpid() + THREADS);
#elif defined NAME
    char name[16];
    begin();
    prctl(PR_GET_NAME, name);
    come_by(name[0] == '0' + THREADS - 1);
#elif defined OWN
    own_number = (int)(long)argument;
    begin();
    come_by(own_number == THREADS - 1);
#elif defined KEY
    if ((long)argument == THREADS - 1)
        pthread_setspecific(key, &key);
    begin();
    come_by(pthread_getspecific(key) != NULL);
#elif defined RANDOM
    begin();
    come_by(random() % 2);
#elif defined STACK
    int local;
    stand_at((long)argument, &local);
    begin();
    come_by(stands_at(THREADS - 1) == &local);
#elif defined HEAP
    int *block = malloc(sizeof *block);
    stand_at((long)argument, block);
    begin();
    come_by(stands_at(THREADS - 1) == block);
    free(block);
#elif defined OWNER
    // Who holds the mutex that checks for errors is told from the others.
    static pthread_mutex_t own = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    if ((long)argument == THREADS - 1)
        pthread_mutex_lock(&own);
    begin();
    int mine = pthread_mutex_unlock(&own) == 0;
    come_by(mine);
#elif defined TRYLOCK
    // The first finds the lock free; it must not come by last.
    int first = !pthread_mutex_trylock(&free_lock);
    pthread_mutex_lock(&lock);
    done++;
    assert(!(first && done == THREADS));
    pthread_mutex_unlock(&lock);
#elif defined JOINED
    begin();
    pthread_mutex_lock(&lock);
    done++;
    pthread_mutex_unlock(&lock);
#elif defined LEAVES
    // Only the first gets away. If it is the one that main joins, main goes on.
    begin();
    pthread_mutex_lock(&lock);
#else
#error no case
#endif
    return NULL;
}

int main(void)
{
#ifdef KEY
    pthread_key_create(&key, NULL);
#endif
#ifndef TRYLOCK
    pthread_mutex_lock(&free_lock);
#endif
    for (long i = 0; i < THREADS; i++) {
        items[i].number = (int)i;
        void *argument = (void *)i;
#if defined CONTENT || defined POSITION
        argument = &items[i];
#endif
        pthread_create(&thread[i], NULL, work, argument);
#ifdef NAME
        pthread_setname_np(thread[i], (char[]){(char)('0' + i), 0});
#endif
    }
#ifndef TRYLOCK
    pthread_mutex_unlock(&free_lock);
#endif
#ifdef JOINED
    // It is not certain that somebody else has come by when the last has.
    pthread_join(thread[THREADS - 1], NULL);
    pthread_mutex_lock(&lock);
    assert(done > 1);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < THREADS - 1; i++)
        pthread_join(thread[i], NULL);
#elif defined LEAVES
    pthread_join(thread[THREADS - 1], NULL);
    assert(!"main goes on");
#else
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
#endif
    return 0;
}
