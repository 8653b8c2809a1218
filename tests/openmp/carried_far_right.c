// expect: verified
// The dependence is as far as a thread's block: only one thread follows it.
#include <assert.h>
#include <stdio.h>

int a[8] = {1, 2, 3, 4};

int main(void)
{
#pragma omp parallel for schedule(static, 1) num_threads(2)
    for (int i = 2; i < 8; i++)
        a[i] = a[i - 2] + 10;
    assert(a[6] == 31 && a[7] == 32);
    printf("%d\n", a[7]);
    return 0;
}
