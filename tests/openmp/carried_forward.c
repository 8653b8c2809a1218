// expect: bug race names: a\[2\]
// An iteration reads what the next one writes.
#include <stdio.h>

int a[5] = {0, 1, 2, 3, 4};

int main(void)
{
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        a[i] = a[i + 1] * 2;
    printf("%d\n", a[0]);
    return 0;
}
