// expect: verified executions=2
// Thread-local variables and errno are each thread's own, also across a switch.
#include <pthread.h>
#include <stddef.h>
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int drawn;
static __thread int mine = 5;
static _Thread_local int zero;

static void *worker(void *unused)
{
    (void)unused;
    assert(mine == 5 && zero == 0);
    errno = 0;
    long most = strtol("99999999999999999999999", NULL, 10);
    assert(most == LONG_MAX && errno == ERANGE);
    int number = atomic_fetch_add(&drawn, 1);
    assert(errno == ERANGE && mine == 5 && zero == 0);
    mine = zero = number;
    errno = number;
    assert(mine == number && zero == number && errno == number);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(mine == 5 && zero == 0);
    return 0;
}
