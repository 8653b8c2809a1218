// expect: verified
#include <assert.h>
#include <omp.h>
#include <stdio.h>

int mine[3], other[3];

int main(void)
{
#pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
        mine[me] = me + 1;
#pragma omp barrier
        other[me] = mine[(me + 1) % 3];
    }
    assert(other[0] == 2 && other[1] == 3 && other[2] == 1);
    printf("%d %d %d\n", other[0], other[1], other[2]);
    return 0;
}
