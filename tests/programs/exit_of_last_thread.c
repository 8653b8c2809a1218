// expect: bug abort
// main ends as a thread, and the last thread to end runs the handlers, which know what all the others did.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int done[3];

static void finish(void)
{
    assert(done[0] && done[1] && done[2]);
    abort();
}

static void *work(void *argument)
{
    *(int *)argument = 1;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    atexit(finish);
    pthread_create(&thread, NULL, work, &done[0]);
    pthread_create(&thread, NULL, work, &done[1]);
    done[2] = 1;
    pthread_exit(NULL);
}
