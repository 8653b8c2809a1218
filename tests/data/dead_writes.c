// Two threads write to what nobody reads.
#include <pthread.h>

static __int128 wide;

static void *write_it(void *argument)
{
    wide = (__int128)(long)argument << 70;
    return argument;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, write_it, (void *)1);
    pthread_create(&two, NULL, write_it, (void *)2);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}
