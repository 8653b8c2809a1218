// The reader sees the value in between if the writer is preempted. The test changes it and builds it anew.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int value, other;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused)
{
    (void)unused;
    atomic_store(&value, 1);
    atomic_store(&value, 2);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    int seen = atomic_load(&value);
    assert(seen != 1);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    atomic_store(&other, 0);
    pthread_create(&one, NULL, writer, NULL);
    pthread_create(&two, NULL, reader, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
