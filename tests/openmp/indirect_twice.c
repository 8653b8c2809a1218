// expect: bug race names: a\[3\]
// Two iterations find the same element by an index.
#include <stdio.h>

int a[5], at[4] = {3, 0, 1, 3};

int main(void)
{
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 4; i++)
        a[at[i]] += i;
    printf("%d\n", a[3]);
    return 0;
}
