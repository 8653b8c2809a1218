// Two assertions that need 2 preemptions and none: what is said of the first must not be answered with the second.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *writer(void *none)
{
    for (int i = 1; i <= 4; i++)
        atomic_store(&x, i);
    return none;
}

static void *reader(void *none)
{
    int r = atomic_load(&x), s = atomic_load(&x);
    assert(!(r == 1 && s >= 3));
    assert(r != 4);
    return none;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
