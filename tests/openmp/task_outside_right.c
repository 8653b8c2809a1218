// expect: verified
// Tasks outside of all regions are done before the program ends, and before what needs them.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int x = 0;
#pragma omp task shared(x)
    x = 1;
#pragma omp taskwait
    assert(x == 1);
#pragma omp task if (0) shared(x)
    x++;
    assert(x == 2);
#pragma omp task final(1) shared(x)
    x++;
#pragma omp taskwait
    assert(x == 3);
#pragma omp task firstprivate(x)
    printf("%d\n", x);
    return 0;
}
