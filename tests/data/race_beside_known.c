// Several races of the same two threads: one that is suppressed (in `known`), and others after it, also on the same memory.
#include <pthread.h>

static int x, y;

static __attribute__((noinline)) void known(void)
{
    x++;
}

static __attribute__((noinline)) void fresh(void)
{
    x = 5;
    y++;
}

static void *work(void *unused)
{
    (void)unused;
    known();
    fresh();
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
