// expect: verified
// Tasks inside of a final one are part of it.
#include <assert.h>
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int inside = 0, order = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task final(1) shared(inside, order)
        {
#pragma omp task shared(inside, order)
            {
                inside = omp_in_final();
                order = 1;
            }
            order = order * 2;
        }
#pragma omp taskwait
        assert(!omp_in_final());
    }
    assert(inside && order == 2);
    printf("%d\n", order);
    return 0;
}
