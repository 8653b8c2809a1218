// expect: bug race names: value
// The flag is atomic, and nothing orders the value with it.
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
#pragma omp atomic write
            ready = 1;
        }
#pragma omp section
        {
            int now;
#pragma omp atomic read
            now = ready;
            seen = now ? value : -1;
        }
    }
    printf("%d\n", seen);
    return 0;
}
