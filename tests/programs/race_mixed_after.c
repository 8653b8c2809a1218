// expect: bug race
// A plain read that comes after an unordered atomic write in every order heddle need try.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic int shared;

static void *writer(void *unused)
{
    (void)unused;
    atomic_store_explicit(&shared, 1, memory_order_relaxed);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    int seen = *(volatile char *)"x" ? *(int *)&shared : 0;
    pthread_mutex_unlock(&mutex);
    return (void *)(long)seen;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, writer, NULL);
    pthread_create(&two, NULL, reader, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
