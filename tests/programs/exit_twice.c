// expect: bug assertion
// Two threads call exit. Each takes handlers from the same list, so the end may come before a handler has done its work.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int saved;

static void save(void)
{
    atomic_store(&saved, 1);
}
static void check(void)
{
    assert(atomic_load(&saved));
}

static void *leave(void *nothing)
{
    exit(0);
    return nothing;
}

int main(void)
{
    pthread_t thread;
    atexit(check); // runs after save, unless the other thread has taken that
    atexit(save);
    pthread_create(&thread, NULL, leave, NULL);
    exit(0);
}
