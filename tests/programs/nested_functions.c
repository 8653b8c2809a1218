// expect: verified
// Nested functions of gcc whose addresses are taken: their code stands on the stack of the thread.
#include <assert.h>
#include <pthread.h>

static int apply(int (*f)(int), int x)
{
    return f(x);
}

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *work(void *a)
{
    int base = (int)(long)a;
    int add(int x)
    {
        return x + base;
    }
    int r = apply(add, 1);
    pthread_mutex_lock(&m);
    total += r;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, work, (void *)1);
    pthread_create(&u, 0, work, (void *)2);
    pthread_join(t, 0);
    pthread_join(u, 0);
    int twice(int x)
    {
        return 2 * x + total;
    }
    assert(apply(twice, 2) == 9);
}
