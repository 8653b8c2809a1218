// expect: verified
#include <assert.h>
#include <stdio.h>

int cell[2][3];

int main(void)
{
    int i, j, sum = 0;
#pragma omp parallel for collapse(2) private(j) schedule(dynamic, 2)
    for (i = 0; i < 2; i++)
        for (j = 2; j >= 0; j--)
            cell[i][j] = 10 * i + j;
    for (i = 0; i < 2; i++)
        for (j = 0; j < 3; j++)
            sum += cell[i][j];
    assert(sum == 36 && cell[1][2] == 12);
    printf("%d\n", sum);
    return 0;
}
