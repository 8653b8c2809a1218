// expect: verified options: --memory-errors
// A function waits while another thread uses its array of variable length.
#include <pthread.h>

static pthread_t thread;

static void *use(void *lent)
{
    ((int *)lent)[1] = 4;
    return NULL;
}

static __attribute__((noinline)) void lend(int n)
{
    int array[n];
    array[1] = 0;
    pthread_create(&thread, NULL, use, array);
    pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    (void)argv;
    lend(argc + 2);
}
