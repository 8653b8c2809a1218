// expect: verified
#include <assert.h>
#include <omp.h>
#include <stdio.h>

int size, sum, who = -1;

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        {
            size = 4;
            who = omp_get_thread_num();
        }
#pragma omp barrier
#pragma omp atomic
        sum += size;
    }
    assert(sum == 8 && who == 0);
    printf("%d %d\n", sum, who);
    return 0;
}
