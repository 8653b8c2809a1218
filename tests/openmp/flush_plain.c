// expect: bug race
// A flush does not make a plain flag atomic.
#include <stdio.h>

int value, ready;

int main(void)
{
    int seen = 0;
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        {
            value = 5;
#pragma omp flush
            ready = 1;
        }
#pragma omp section
        {
            int now = ready;
#pragma omp flush
            seen = now ? value : -1;
        }
    }
    printf("%d\n", seen);
    return 0;
}
