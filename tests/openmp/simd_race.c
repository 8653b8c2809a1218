// expect: bug race
#include <stdio.h>

int a[9];

int main(void)
{
#pragma omp parallel for simd
    for (int i = 0; i < 8; i++)
        a[i] = a[i + 1] + 1;
    printf("%d\n", a[0]);
    return 0;
}
