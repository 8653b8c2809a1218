// expect: verified
// A loop that is not parallel for the one argument with which it would be wrong; what was asked for holds for one
// region only. (libomp 14 gives the number to the next region, so this is not run natively.)
#include <assert.h>
#include <omp.h>
#include <stdio.h>

static int a[4] = {1, 1, 1, 1};

static void shift(int by)
{
#pragma omp parallel for if (by > 1) num_threads(3)
    for (int i = by; i < 4; i++)
        a[i] += a[i - by];
}

int main(void)
{
    int threads = 0, more = 0;
    omp_set_dynamic(0);
    omp_set_num_threads(2);
    shift(1);
    assert(a[3] == 4);
#pragma omp parallel
#pragma omp single
    threads = omp_get_num_threads();
#pragma omp parallel num_threads(3)
#pragma omp single
    more = omp_get_num_threads();
    assert(threads == 2 && more == 3);
    printf("%d %d %d\n", a[3], threads, more);
    return 0;
}
