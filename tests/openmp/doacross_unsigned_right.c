// expect: verified
// Iterations that are counted by unsigned numbers, with rows and columns.
#include <assert.h>
#include <stdio.h>

int a[3][3];

int main(void)
{
    for (int i = 0; i < 3; i++)
        a[0][i] = a[i][0] = 1;
#pragma omp parallel for ordered(2) schedule(dynamic)
    for (unsigned long long i = 1; i < 3; i++)
        for (unsigned long long j = 1; j < 3; j++) {
#pragma omp ordered depend(sink : i - 1, j)
            a[i][j] = a[i - 1][j] + a[i][j - 1];
#pragma omp ordered depend(source)
        }
    assert(a[2][2] == 6);
    printf("%d\n", a[2][2]);
    return 0;
}
