// proposal: reduction(&& : all) at all_of_them.c:7
#include <stdio.h>

int main(void)
{
    int v[4] = {3, 7, 7, 5}, all = 1;
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        all = all && v[i] > 2;
    printf("%d\n", all);
    return !all;
}
