// expect: bug race
// Accesses of different size that share one byte.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

union {
    uint64_t whole;
    uint8_t byte[8];
} cell;

static void *first(void *unused)
{
    (void)unused;
    cell.whole = 1;
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    cell.byte[7] = 1;
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
