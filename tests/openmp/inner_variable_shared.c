// expect: bug race names: j
// Only the variable of the outer loop is private by itself.
#include <stdio.h>

int cell[2][2];

int main(void)
{
    int i, j;
#pragma omp parallel for num_threads(2)
    for (i = 0; i < 2; i++)
        for (j = 0; j < 2; j++)
            cell[i][j] = 10 * i + j;
    printf("%d\n", cell[1][1]);
    return 0;
}
