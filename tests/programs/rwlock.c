// expect: verified
// Readers share, writers exclude everybody.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;
static atomic_int inside;

static void *reader(void *unused)
{
    (void)unused;
    pthread_rwlock_rdlock(&lock);
    assert(a == b);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void *writer(void *unused)
{
    (void)unused;
    pthread_rwlock_wrlock(&lock);
    assert(atomic_fetch_add(&inside, 1) == 0);
    a++;
    b++;
    atomic_fetch_sub(&inside, 1);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, writer, NULL);
    pthread_create(&threads[2], NULL, reader, NULL);
    pthread_create(&threads[3], NULL, writer, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert(a == 2 && b == 2);
    return 0;
}
