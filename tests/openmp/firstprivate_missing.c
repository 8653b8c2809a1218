// expect: bug race names: base
// Each iteration steps the base on, which was meant to be its own.
#include <stdio.h>

int main(void)
{
    int a[4], base = 10;
#pragma omp parallel num_threads(2)
    {
        for (int i = 0; i < 2; i++)
            a[i] = base++;
    }
    printf("%d\n", a[0]);
    return 0;
}
