// expect: bug race names: x
// The second task waits for the wrong variable.
#include <stdio.h>

int x, y;

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x)
        x = 2;
#pragma omp task depend(in : y)
        y = x + 1;
    }
    printf("%d\n", y);
    return 0;
}
