// expect: bug race
#include <stdio.h>

int a, b, sum;

int main(void)
{
#pragma omp parallel
    {
#pragma omp sections nowait
        {
#pragma omp section
            a = 1;
#pragma omp section
            b = 2;
        }
#pragma omp single
        sum = a + b;
    }
    printf("%d\n", sum);
    return 0;
}
