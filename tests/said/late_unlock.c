// One preemption is enough if it comes while the lock is held: then the other thread has to wait, and that switch is free.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int a, y;
static int r1, r2, r3;

static void *first(void *none)
{
    pthread_mutex_lock(&m);
    r1 = atomic_load(&a);
    pthread_mutex_unlock(&m);
    r2 = atomic_load(&a);
    atomic_store(&y, 1);
    return none;
}

static void *second(void *none)
{
    atomic_store(&a, 1);
    pthread_mutex_lock(&m);
    r3 = atomic_load(&y);
    pthread_mutex_unlock(&m);
    return none;
}

int main(void)
{
    pthread_t x, z;
    pthread_create(&x, 0, first, 0);
    pthread_create(&z, 0, second, 0);
    pthread_join(x, 0);
    pthread_join(z, 0);
    assert(!(r1 == 0 && r2 == 1 && r3 == 1));
}
