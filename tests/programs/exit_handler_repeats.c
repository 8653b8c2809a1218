// expect: verified
// The same handler runs several times, from the same place, and only looks: that is no loop.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int value, other;

static void look(void)
{
    assert(atomic_load(&value) + atomic_load(&other) < 3);
}

static void *work(void *nothing)
{
    atomic_store(&other, 1);
    return nothing;
}

int main(void)
{
    pthread_t thread;
    for (int i = 0; i < 4; i++)
        atexit(look);
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    atomic_store(&value, 1);
    return 0;
}
