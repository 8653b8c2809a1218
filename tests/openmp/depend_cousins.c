// expect: bug race names: x
// Dependences order siblings only, and these are children of different tasks.
#include <stdio.h>

int x;

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
#pragma omp task depend(out : x)
            x = 1;
        }
#pragma omp task
        {
#pragma omp task depend(inout : x)
            x = 2;
        }
    }
    printf("%d\n", x);
    return 0;
}
