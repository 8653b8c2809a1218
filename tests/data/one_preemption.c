// The reader sees the value in between only if the writer is preempted: one preemption.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int value;

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
    assert(atomic_load(&value) != 1);
    return NULL;
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
