// expect: verified
// A thread calls exit while main waits for it: the handler runs in that thread, with its variables, and main never goes on.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static _Thread_local int own;
static pthread_t thread;

static void finish(void)
{
    assert(own == 1 && pthread_equal(pthread_self(), thread));
}

static void *leave(void *nothing)
{
    own = 1;
    exit(0);
    return nothing;
}

int main(void)
{
    own = 2;
    atexit(finish);
    pthread_create(&thread, NULL, leave, NULL);
    pthread_join(thread, NULL);
    abort();
}
