// expect: verified
// A barrier for three threads made of a counter that they poll, used twice.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 3 };

static _Atomic int arrived[2], before, between;

static void wait_for_all(int which)
{
    atomic_fetch_add(&arrived[which], 1);
    while (atomic_load(&arrived[which]) < THREADS)
        ;
}

static void *work(void *nothing)
{
    atomic_fetch_add(&before, 1);
    wait_for_all(0);
    assert(atomic_load(&before) == THREADS);
    atomic_fetch_add(&between, 1);
    wait_for_all(1);
    assert(atomic_load(&between) == THREADS);
    return nothing;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
