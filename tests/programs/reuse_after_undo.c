// expect: verified options: --reuse
// A block that is given out again is filled anew: going back to before it was freed has to bring its contents back.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long *p;

static void put(long v)
{
    long *n = malloc(16);
    *n = v;
    pthread_mutex_lock(&m);
    if (p)
        free(p);
    p = n;
    pthread_mutex_unlock(&m);
}

static void take(void)
{
    pthread_mutex_lock(&m);
    long *q = p;
    p = NULL;
    pthread_mutex_unlock(&m);
    if (q) {
        long v = *q;
        assert(v == 1 || v == 2);
        free(q);
    }
}

static void *put_and_take(void *a)
{
    put(1);
    take();
    return a;
}

static void *take_and_put(void *a)
{
    take();
    put(2);
    return a;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, put_and_take, 0);
    pthread_create(&b, 0, take_and_put, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
