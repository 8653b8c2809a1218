// expect: bug race names: a
#include <stdio.h>

int a[2];

int main(void)
{
    int seen = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop num_tasks(2) nogroup
        for (int i = 0; i < 2; i++)
            a[i] = i + 1;
        seen = a[0] + a[1];
    }
    printf("%d\n", seen);
    return 0;
}
