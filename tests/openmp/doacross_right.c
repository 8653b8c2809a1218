// expect: verified
// Iterations that wait for earlier ones: in one and two dimensions, downwards, and with a step.
#include <assert.h>
#include <stdio.h>

int a[5] = {1}, b[3][3], c[4] = {0, 0, 0, 5}, d[6] = {2};

int main(void)
{
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 1; i < 4; i++) {
#pragma omp ordered depend(sink : i - 1)
        a[i] = a[i - 1] + i;
#pragma omp ordered depend(source)
    }
    assert(a[1] == 2 && a[3] == 7);
    for (int i = 0; i < 3; i++)
        b[0][i] = b[i][0] = 1;
#pragma omp parallel for ordered(2) schedule(static, 1)
    for (int i = 1; i < 3; i++)
        for (int j = 1; j < 3; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            b[i][j] = b[i - 1][j] + b[i][j - 1];
#pragma omp ordered depend(source)
        }
    assert(b[1][1] == 2 && b[2][2] == 6);
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 2; i >= 0; i--) {
#pragma omp ordered depend(sink : i + 1)
        c[i] = c[i + 1] + 1;
#pragma omp ordered depend(source)
    }
    assert(c[0] == 8);
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 2; i < 6; i += 2) {
#pragma omp ordered depend(sink : i - 2)
        d[i] = d[i - 2] + 1;
#pragma omp ordered depend(source)
    }
    assert(d[4] == 4);
    printf("%d %d %d %d\n", a[3], b[2][2], c[0], d[4]);
    return 0;
}
