// expect: bug assertion
// Two threads register handlers; the order is theirs, and the end may come before either.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int newest;

static void one(void)
{
    newest = newest ? newest : 1;
}
static void other(void)
{
    newest = newest ? newest : 2;
    assert(newest == 2);
}

static void *add(void *nothing)
{
    atexit(one);
    return nothing;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    atexit(other);
    pthread_join(thread, NULL);
    return 0;
}
