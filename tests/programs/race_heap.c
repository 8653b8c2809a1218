// expect: bug race
// Two threads write one element of a block on the heap.
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static int *block;

static void *first(void *unused)
{
    (void)unused;
    block[1] = 1;
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    block[1] = 2;
    return NULL;
}

int main(void)
{
    block = calloc(4, sizeof *block);
    if (!block)
        return 1;
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    free(block);
    return 0;
}
