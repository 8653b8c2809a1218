// expect: bug race
// The second loop reads elements of the first that other threads may still be working on.
#include <stdio.h>

int a[4], b[4];

int main(void)
{
#pragma omp parallel
    {
#pragma omp for nowait
        for (int i = 0; i < 4; i++)
            a[i] = i + 1;
#pragma omp for
        for (int i = 0; i < 4; i++)
            b[i] = a[3 - i];
    }
    printf("%d\n", b[0]);
    return 0;
}
