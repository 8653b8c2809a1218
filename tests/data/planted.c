// An error in what T1 reads reaches `out[0]`, and main when it reads that; never T2, nor what T2 writes.
#include <pthread.h>
#include <stdio.h>

static int in[2] = {1, 2}, out[2], total;

static void *doubles(void *number)
{
    long i = (long)number;
    out[i] = 2 * in[i];
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, doubles, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    total = out[1] + out[0];
    printf("%d\n", total);
    return 0;
}
