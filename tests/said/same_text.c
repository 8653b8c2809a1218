// Two assertions of the same text in one function are two bugs: a baseline that knows one must not hide the other.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void *writer(void *none)
{
    atomic_store(&x, 1);
    atomic_store(&y, 1);
    return none;
}

static void *reader(void *none)
{
    int r = atomic_load(&x);
    assert(r == 0);
#ifdef NEW
    r = atomic_load(&y);
    assert(r == 0);
#endif
    return none;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
