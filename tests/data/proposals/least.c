// proposal: reduction(min : least) at least.c:7
#include <stdio.h>

int main(void)
{
    int v[4] = {3, 1, 7, 5}, least = 9;
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        least = v[i] < least ? v[i] : least;
    printf("%d\n", least);
    return least != 1;
}
