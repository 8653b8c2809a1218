// expect: bug assertion
// Reading and writing are atomic, the maximum of both is not.
#include <assert.h>
#include <omp.h>

int main(void)
{
    int best = 0, a[2] = {3, 5};
#pragma omp parallel num_threads(2)
    {
        int v = a[omp_get_thread_num()], seen;
#pragma omp atomic read
        seen = best;
        if (v > seen) {
#pragma omp atomic write
            best = v;
        }
    }
    assert(best == 5);
    return 0;
}
