// expect: bug race
// A structure is copied while another thread writes one of its fields.
#include <pthread.h>
#include <stddef.h>

struct record {
    long field[6];
};

struct record common, copy;

static void *first(void *unused)
{
    (void)unused;
    copy = common;
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    common.field[4] = 1;
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
