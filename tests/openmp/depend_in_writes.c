// expect: bug race names: x
// Both say that they only read.
#include <stdio.h>

int x;

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(in : x)
        x++;
#pragma omp task depend(in : x)
        x++;
    }
    printf("%d\n", x);
    return 0;
}
