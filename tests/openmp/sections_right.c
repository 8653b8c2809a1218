// expect: verified
// Three sections, two threads; what follows the construct sees all of them.
#include <assert.h>
#include <stdio.h>

int a, b, c, sum;

int main(void)
{
#pragma omp parallel
    {
#pragma omp sections
        {
#pragma omp section
            a = 1;
#pragma omp section
            b = 2;
#pragma omp section
            c = 3;
        }
#pragma omp single
        sum = a + b + c;
    }
    assert(sum == 6);
    printf("%d\n", sum);
    return 0;
}
