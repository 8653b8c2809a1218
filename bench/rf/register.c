// N threads each store their number in one variable and then load it: most of them see themselves, or whoever came last.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int last;

static void *take_turn(void *number)
{
    atomic_store(&last, (int)(long)number);
    return (void *)(long)atomic_load(&last);
}

int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, take_turn, (void *)(i + 1));
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
