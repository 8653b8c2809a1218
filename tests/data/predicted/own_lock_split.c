// expect: atomicity harmful
// A lock of the program's own, which is looked at and taken in two steps. If both get it, what it protects is not ordered any more; in
// this run nothing else goes wrong.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int taken;
static int sum;

static void *add(void *late)
{
    if (late)
        usleep(20000);
    while (atomic_load(&taken))
        sched_yield();
    atomic_store(&taken, 1);
    sum++;
    atomic_store(&taken, 0);
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
