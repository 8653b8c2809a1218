// expect: verified
// A thread spins until another sets a flag.
#include <pthread.h>
#include <stddef.h>
#include <assert.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *first(void *unused)
{
    (void)unused;
    data = 1;
    atomic_store(&flag, 1);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    while (!atomic_load(&flag))
        ;
    assert(data == 1);
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
