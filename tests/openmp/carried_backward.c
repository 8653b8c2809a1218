// expect: bug race names: a\[2\]
// An iteration reads what the one before it writes.
#include <stdio.h>

int a[5] = {1, 1, 1, 1, 1};

int main(void)
{
#pragma omp parallel for
    for (int i = 1; i < 5; i++)
        a[i] += a[i - 1];
    printf("%d\n", a[4]);
    return 0;
}
