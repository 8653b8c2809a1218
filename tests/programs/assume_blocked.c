// expect: verified
// The execution in which the assumption is false counts as blocked.
#include <pthread.h>
#include <stddef.h>
#include <heddle/heddle.h>
#include <stdatomic.h>

static atomic_int x;
static int data;

static void *first(void *unused)
{
    (void)unused;
    heddle_assume(atomic_load(&x) == 1);
    heddle_assert(data == 1);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    data = 1;
    atomic_store(&x, 1);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
