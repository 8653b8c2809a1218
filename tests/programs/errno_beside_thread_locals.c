// expect: verified executions=2
// Threads that have variables of their own have an errno of their own, whoever creates them and whoever runs in between.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static __thread int mine = 7;
static atomic_int turns;

static void *inner(void *unused)
{
    mine++;
    errno = 2;
    turns++;
    assert(mine == 8 && errno == 2);
    return unused;
}

static void *outer(void *unused)
{
    pthread_t thread;
    errno = 1;
    pthread_create(&thread, NULL, inner, unused);
    assert(errno == 1);
    turns++;
    assert(errno == 1);
    pthread_join(thread, NULL);
    assert(mine == 7 && errno == 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, outer, NULL);
    pthread_join(thread, NULL);
    assert(mine == 7 && errno == 0);
    return 0;
}
