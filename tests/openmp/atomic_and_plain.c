// expect: bug race names: n
// One side is atomic, the other is not.
#include <stdio.h>

int n;

int main(void)
{
#pragma omp parallel sections
    {
#pragma omp section
        {
#pragma omp atomic
            n++;
        }
#pragma omp section
        n += 2;
    }
    printf("%d\n", n);
    return 0;
}
