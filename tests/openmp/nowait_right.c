// expect: verified
// Two static loops of one length give each thread the same iterations, so nobody has to wait.
#include <assert.h>
#include <stdio.h>

int a[5], b[5];

int main(void)
{
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < 5; i++)
            a[i] = i + 1;
#pragma omp for schedule(static)
        for (int i = 0; i < 5; i++)
            b[i] = a[i];
    }
    assert(b[0] == 1 && b[4] == 5);
    printf("%d\n", b[4]);
    return 0;
}
