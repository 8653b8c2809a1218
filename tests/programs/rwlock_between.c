// expect: bug assertion
// A writer may come after the one reader and before the other, although both were there before it in the first run.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int one, other;

static void *read_one(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    atomic_store(&one, 1);
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *write_it(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    assert(atomic_load(&one) || !atomic_load(&other));
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *read_other(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    atomic_store(&other, 1);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    void *(*const begin[3])(void *) = {read_one, write_it, read_other};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, begin[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
