// expect: bug race names: x
#include <stdio.h>

int x, y;

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        x = 2;
#pragma omp task
        y = x + 1;
    }
    printf("%d\n", y);
    return 0;
}
