// expect: bug abort
// The handler that a thread registers runs only if main has not come to the end before.
#include <pthread.h>
#include <stdlib.h>

static void fail(void)
{
    abort();
}

static void *add(void *nothing)
{
    atexit(fail);
    return nothing;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    pthread_detach(thread);
    return 0;
}
