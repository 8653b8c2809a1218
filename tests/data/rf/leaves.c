// The process ends while another thread runs, which fails if it gets far enough.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef BAD
#define BAD 2
#endif

static atomic_int x, y;

static void *look(void *unused)
{
    atomic_store(&x, 1);
    assert(atomic_load(&y) != BAD);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, look, NULL);
    pthread_detach(t);
    atomic_store(&y, 1);
    atomic_store(&y, 2);
    return 0;
}
