// expect: verified
// A writer, two readers, a writer after both, an element of an array; a wait for one variable, and an undeferred task.
#include <assert.h>
#include <stdio.h>

int x, a, b, v[2];

int main(void)
{
    int then = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x)
        x = 2;
#pragma omp task depend(in : x) depend(out : v[0])
        v[0] = a = x + 1;
#pragma omp task depend(in : x)
        b = x + 2;
#pragma omp task depend(inout : x)
        x = 10 * x;
#pragma omp task if (0) depend(in : v[0])
        then = v[0];
#pragma omp taskwait
    }
    assert(a == 3 && b == 4 && x == 20 && then == 3);
    printf("%d %d %d\n", a, b, x);
    return 0;
}
