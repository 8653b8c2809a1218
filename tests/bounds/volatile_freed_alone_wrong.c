// expect: bug use-after-free
// Volatile accesses are steps of their own; in freed memory they are wrong, too.
#include <pthread.h>
#include <stdlib.h>

static volatile int *flag;

static void *set(void *unused)
{
    *flag = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    flag = calloc(1, sizeof *flag);
    pthread_create(&thread, 0, set, 0);
    pthread_join(thread, 0);
    free((void *)flag);
    *flag = 2;
    return 0;
}
