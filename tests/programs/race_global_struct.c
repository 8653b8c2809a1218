// expect: bug race
// Fields of one's own do not race, the common one does.
#include <pthread.h>
#include <stddef.h>

struct {
    char a, b;
    short common;
    int c;
} record;

static void *first(void *unused)
{
    (void)unused;
    record.a = 1;
    record.common = 1;
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    record.b = 2;
    record.c = record.common;
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
