// expect: verified
// Whoever drops the last reference has acquired all that the others released, and may use the counter plainly.
#include <assert.h>
#include <pthread.h>

static int references = 2;

static void *drop(void *nothing)
{
    if (__atomic_fetch_sub(&references, 1, __ATOMIC_ACQ_REL) == 1)
        references = 2;
    return nothing;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, drop, 0);
    pthread_create(&b, 0, drop, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(references == 2);
}
