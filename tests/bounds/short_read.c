// expect: verified options: --cflags -Os
// With -Os gcc reads two bytes by way of four that are aligned: neither the end of the array nor the other member is read.
#include <pthread.h>

static struct {
    short own, other;
} both __attribute__((aligned(4)));
static short five[5] __attribute__((aligned(4)));
short copies[3];

static void *write_other(void *unused)
{
    both.other = 5;
    return unused;
}

__attribute__((noinline)) static void copy_short(short *to, const short *from)
{
    *to = *from;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, write_other, NULL);
    copies[0] = both.own;
    pthread_join(t, NULL);
    for (int i = 0; i < 5; i += 2)
        copies[i / 2] = five[i];
    copy_short(copies, five);
    return 0;
}
