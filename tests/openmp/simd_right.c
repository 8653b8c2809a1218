// expect: verified
#include <assert.h>
#include <stdio.h>

float a[8];

int main(void)
{
    float sum = 0;
    for (int i = 0; i < 8; i++)
        a[i] = (float)i;
#pragma omp parallel for simd reduction(+ : sum)
    for (int i = 0; i < 8; i++)
        sum += a[i];
    assert(sum == 28);
#pragma omp simd
    for (int i = 0; i < 8; i++)
        a[i] *= 2;
    printf("%g %g\n", (double)sum, (double)a[7]);
    return 0;
}
