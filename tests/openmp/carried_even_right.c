// expect: verified
// Reads even elements and writes odd ones.
#include <assert.h>
#include <stdio.h>

int a[9];

int main(void)
{
    for (int i = 0; i < 9; i++)
        a[i] = i;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 4; i++)
        a[2 * i + 1] = a[2 * i] + a[2 * i + 2];
    assert(a[1] == 2 && a[7] == 14);
    printf("%d\n", a[7]);
    return 0;
}
