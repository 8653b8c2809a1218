// expect: bug race names: b
// Waits for the row above, and not for the cell to the left.
#include <stdio.h>

int b[3][4];

int main(void)
{
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 1; i < 4; i++) {
#pragma omp ordered depend(sink : i - 2)
        b[0][i] = b[0][i - 1] + 1;
#pragma omp ordered depend(source)
    }
    printf("%d\n", b[0][3]);
    return 0;
}
