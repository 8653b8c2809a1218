// Thread-local variables, errno, and a thread that a thread creates: T1 and T1.1 disagree about who comes first.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

static __thread int mine = 7;
static atomic_int turns;

static void *inner(void *unused)
{
    (void)unused;
    mine += 20;
    errno = 2;
    atomic_fetch_add(&turns, 1);
    assert(mine == 27 && errno == 2);
    return NULL;
}

static void *outer(void *unused)
{
    pthread_t thread;
    mine += 10;
    errno = 1;
    pthread_create(&thread, NULL, inner, unused);
    int seen = atomic_fetch_add(&turns, 1);
    printf("outer has seen %d\n", seen);
    assert(mine == 17 && errno == 1);
    assert(seen == 0); // wrong: the other may have been there
    pthread_join(thread, NULL);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    assert(getchar() == EOF); // standard input is empty
    pthread_create(&thread, NULL, outer, NULL);
    pthread_join(thread, NULL);
    assert(mine == 7);
    return 0;
}
