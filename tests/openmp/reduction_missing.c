// expect: bug race names: sum
// Each thread adds to the one sum: a reduction is missing.
#include <stdio.h>

int main(void)
{
    int sum = 0;
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        sum += i;
    printf("%d\n", sum);
    return 0;
}
