// Bound by memory: two threads go over the halves of an array, ten times.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 8 << 20, ROUNDS = 10 };

static long sums[2];
static int *data;

static void *add(void *which)
{
    long half = (long)which, sum = 0;
    int *mine = data + half * (WORDS / 2);
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < WORDS / 2; i++) {
            mine[i] += i ^ r;
            sum += mine[i];
        }
    sums[half] = sum;
    return NULL;
}

int main(void)
{
    pthread_t thread[2];
    data = calloc(WORDS, sizeof *data);
    for (long i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, add, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    printf("%ld\n", sums[0] + sums[1]);
    return 0;
}
