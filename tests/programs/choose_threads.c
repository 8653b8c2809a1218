// expect: verified executions=8
// A choice in each of two threads (4 ways), and two orders of their additions.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;

static void *add(void *unused)
{
    (void)unused;
    atomic_fetch_add(&sum, 1 + heddle_choose(2));
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    heddle_assert(atomic_load(&sum) >= 2 && atomic_load(&sum) <= 4);
    return 0;
}
