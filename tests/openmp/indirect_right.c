// expect: verified
#include <assert.h>
#include <stdio.h>

int a[5], at[4] = {3, 0, 1, 4};

int main(void)
{
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 4; i++)
        a[at[i]] += i + 1;
    assert(a[3] == 1 && a[0] == 2 && a[1] == 3 && a[4] == 4);
    printf("%d\n", a[3]);
    return 0;
}
