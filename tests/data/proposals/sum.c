// proposal: reduction(+ : sum) at sum.c:8
#include <stdio.h>

int main(void)
{
    int a[4] = {1, 2, 3, 4};
    int sum = 0;
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        sum += a[i];
    printf("%d\n", sum);
    return sum != 10;
}
