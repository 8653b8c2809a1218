// expect: bug assertion
// A jump out of a handler leaves the signal blocked if sigsetjmp did not keep what was blocked. The second one stays pending.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf back;
static int handled;

static void handle(int number)
{
    (void)number;
    handled++;
    siglongjmp(back, 1);
}

static void *raise_twice(void *unused)
{
    sigsetjmp(back, 0);
    if (handled < 2)
        raise(SIGUSR1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    signal(SIGUSR1, handle);
    pthread_create(&thread, NULL, raise_twice, NULL);
    pthread_join(thread, NULL);
    assert(handled == 2);
}
