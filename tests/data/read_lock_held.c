// A thread that holds a read lock waits for a mutex, whose holder waits to write. A try call makes the order of readers count.
#include <pthread.h>

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *reads(void *none)
{
    pthread_rwlock_rdlock(&table);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_rwlock_unlock(&table);
    return none;
}

static void *writes(void *none)
{
    pthread_mutex_lock(&m);
    pthread_rwlock_wrlock(&table);
    pthread_rwlock_unlock(&table);
    pthread_mutex_unlock(&m);
    return none;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, reads, NULL);
    pthread_create(&two, NULL, writes, NULL);
    if (!pthread_rwlock_tryrdlock(&table))
        pthread_rwlock_unlock(&table);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
