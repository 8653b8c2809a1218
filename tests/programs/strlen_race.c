// expect: bug race
// strlen reads up to the end of the string, which another thread writes.
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char text[8] = "abc";
size_t length;

static void *first(void *unused)
{
    (void)unused;
    length = strlen(text);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    text[2] = 'd';
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
