// expect: bug race
// An atomic load and a plain store of the same variable.
#include <pthread.h>
#include <stddef.h>

int value;

static void *first(void *unused)
{
    (void)unused;
    value = 1;
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    (void)__atomic_load_n(&value, __ATOMIC_SEQ_CST);
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
