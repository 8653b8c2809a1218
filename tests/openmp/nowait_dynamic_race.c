// expect: bug race
// The same with dynamic loops, in which nobody knows who has which iteration.
#include <stdio.h>

int a[3], b[3];

int main(void)
{
#pragma omp parallel
    {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 3; i++)
            a[i] = i + 1;
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 3; i++)
            b[i] = a[i];
    }
    printf("%d\n", b[2]);
    return 0;
}
