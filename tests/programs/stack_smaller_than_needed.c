// expect: bug signal
// The thread asks for a stack of 64 KiB, and uses 200.
#include <pthread.h>

static int go_down(int levels)
{
    volatile char room[1000];
    room[0] = (char)levels;
    return levels ? go_down(levels - 1) + room[0] : 0;
}

static void *thread(void *argument)
{
    go_down(200);
    return argument;
}

int main(void)
{
    pthread_t t;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 << 10);
    pthread_create(&t, &attributes, thread, NULL);
    pthread_join(t, NULL);
}
