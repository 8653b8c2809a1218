// expect: nothing
// own_lock_split.c with a lock that is looked at and taken in one step.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int sum;

static void *add(void *late)
{
    if (late)
        usleep(20000);
    while (atomic_flag_test_and_set(&taken))
        sched_yield();
    sum++;
    atomic_flag_clear(&taken);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, add, &sum);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
