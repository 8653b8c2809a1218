// expect: bug assertion
// Four threads at a barrier for two: who goes through with whom is a matter of order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static atomic_int here;

static void *first(void *unused)
{
    atomic_store(&here, 1);
    pthread_barrier_wait(&barrier);
    return unused;
}

static void *second(void *unused)
{
    pthread_barrier_wait(&barrier);
    assert(atomic_load(&here)); // if it met the first one
    return unused;
}

static void *other(void *unused)
{
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void)
{
    void *(*const begin[4])(void *) = {first, second, other, other};
    pthread_t threads[4];
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, begin[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
