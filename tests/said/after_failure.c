// T2 sees what T1 wrote only if T1 is preempted between that and its own failure, which would end the process.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *fail(void *none)
{
    atomic_store(&x, 1);
    assert(!"always");
    return none;
}

static void *look(void *none)
{
    assert(atomic_load(&x) != 1);
    return none;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, fail, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
