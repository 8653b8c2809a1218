// expect: verified
// Many threads add one, one of them looks: it never sees more than there are.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 12 };

static _Atomic int x;

static void *add(void *nothing)
{
    atomic_fetch_add(&x, 1);
    return nothing;
}

static void *look(void *nothing)
{
    assert(atomic_load(&x) <= THREADS);
    return nothing;
}

int main(void)
{
    pthread_t threads[THREADS + 1];
    for (int i = 0; i <= THREADS; i++)
        pthread_create(&threads[i], 0, i < THREADS ? add : look, 0);
    for (int i = 0; i <= THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
