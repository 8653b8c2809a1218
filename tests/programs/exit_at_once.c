// expect: verified
// quick_exit runs its own handlers and no others; _Exit none.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int at;

static void never(void)
{
    abort();
}
static void second(void)
{
    assert(at == 1);
    _Exit(0);
}
static void first(void)
{
    assert(at++ == 0);
}

__attribute__((destructor)) static void destroy(void)
{
    abort();
}

static void *leave(void *nothing)
{
    quick_exit(1);
    return nothing;
}

int main(void)
{
    pthread_t thread;
    atexit(never);
    at_quick_exit(never);
    at_quick_exit(second);
    at_quick_exit(first);
    pthread_create(&thread, NULL, leave, NULL);
    pthread_join(thread, NULL);
    abort();
}
