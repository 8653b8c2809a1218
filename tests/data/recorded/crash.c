// One thread writes through a null pointer while the other one is there.
#include <pthread.h>
#include <stddef.h>

static int last;

static void *die(void *nowhere)
{
    last = 2;
    *(volatile int *)nowhere = 1;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    last = 1;
    pthread_create(&thread, NULL, die, NULL);
    pthread_join(thread, NULL);
    return last;
}
