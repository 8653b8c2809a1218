// Two threads wait for each other's locks while a third one may still fail: the deadlock is certain only when that one has read.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int written;

static void *other(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

static void *one(void *unused)
{
    pthread_t child;
    pthread_create(&child, NULL, other, NULL);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(child, NULL);
    return unused;
}

static void *reader(void *unused)
{
    assert(atomic_load(&written) == 0);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    atomic_store(&written, 1);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
