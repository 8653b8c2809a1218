// expect: bug race
#include <omp.h>
#include <stdio.h>

int mine[2], other[2];

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();
        mine[me] = me + 1;
        other[me] = mine[1 - me];
    }
    printf("%d\n", other[0]);
    return 0;
}
