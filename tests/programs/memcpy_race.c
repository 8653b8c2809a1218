// expect: bug race
// memcpy reads what another thread writes.
#include <pthread.h>
#include <stddef.h>
#include <string.h>

char from[100], to[100];
size_t size = sizeof from;

static void *first(void *unused)
{
    (void)unused;
    memcpy(to, from, size);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    from[50] = 1;
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
