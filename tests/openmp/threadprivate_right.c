// expect: verified
// Each thread keeps its own between regions; copyin hands the first thread's to all.
#include <assert.h>
#include <omp.h>
#include <stdio.h>

static int own = 3;
#pragma omp threadprivate(own)

int main(void)
{
    int sum = 0;
#pragma omp parallel num_threads(3)
    own += omp_get_thread_num();
#pragma omp parallel num_threads(3) reduction(+ : sum)
    {
        assert(own == 3 + omp_get_thread_num());
        sum += own;
    }
    assert(sum == 12);
    own = 9;
#pragma omp parallel num_threads(3) copyin(own) reduction(+ : sum)
    sum += own;
    assert(sum == 39);
    printf("%d\n", sum);
    return 0;
}
