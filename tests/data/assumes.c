// What a verdict rests on, by itself or with -DWEAK (an atomic access that is not sequentially consistent), -DWAIT (a condition
// variable), -DLIBRARY (a function of the C library that heddle knows, but does not define).
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int flag;
static int shared;

static void *work(void *unused)
{
    (void)unused;
#ifdef WEAK
    atomic_store_explicit(&flag, 1, memory_order_release);
#else
    atomic_store(&flag, 1);
#endif
    pthread_mutex_lock(&m);
#ifdef LIBRARY
    shared = strverscmp("1", "2") < 0;
#else
    shared++;
#endif
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&m);
#ifdef WAIT
    while (!shared)
        pthread_cond_wait(&c, &m);
#endif
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
