// expect: bug assertion
// The read of an _Atomic index is a step like any atomic load: what another thread does before it is explored.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int at;
static const char table[] = {0, 1, 2};

static void *advance(void *a)
{
    at++;
    assert(table[at] == 1);
    return a;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, advance, 0);
    pthread_create(&u, 0, advance, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
