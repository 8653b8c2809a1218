// proposal: private(j) at inner_loop.c:9
#include <stdio.h>

int cell[2][2];

int main(void)
{
    int i, j;
#pragma omp parallel for
    for (i = 0; i < 2; i++)
        for (j = 0; j < 2; j++)
            cell[i][j] = 10 * i + j;
    printf("%d\n", cell[1][1]);
    return 0;
}
