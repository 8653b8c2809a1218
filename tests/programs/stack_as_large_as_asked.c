// expect: verified
// The thread asks for a stack of 32 MiB, and uses 20.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static int go_down(int levels)
{
    volatile char room[1 << 20];
    room[0] = (char)levels;
    return levels ? go_down(levels - 1) + room[0] : count++;
}

static void *thread(void *argument)
{
    go_down(20);
    return argument;
}

int main(void)
{
    pthread_t t;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 32 << 20);
    pthread_create(&t, &attributes, thread, NULL);
    count++;
    pthread_join(t, NULL);
}
