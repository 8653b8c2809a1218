// expect: verified
// Each thread has an errno of its own.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int turns;

static void use(int number)
{
    errno = number;
    atomic_fetch_add(&turns, 1);
    assert(errno == number);
}

static void *other(void *unused)
{
    (void)unused;
    use(1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    use(2);
    pthread_join(t, NULL);
    return 0;
}
