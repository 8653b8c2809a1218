// expect: bug race
// memset with a size the compiler knows: gcc expands such a call in place and gives it no hook, unless it is kept by
// -fno-builtin-memset.
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char text[100];
int seen;

static void *first(void *unused)
{
    (void)unused;
    memset(text, 1, sizeof text);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    seen = text[99];
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
