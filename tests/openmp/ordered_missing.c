// expect: bug race names: end
// Lines are to be in the order of the loop; the clause is there, the region is not.
#include <stdio.h>

int line[4], end;

int main(void)
{
#pragma omp parallel for ordered
    for (int i = 0; i < 4; i++)
        line[end++] = i;
    printf("%d\n", line[0]);
    return 0;
}
