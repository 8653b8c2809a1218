// expect: verified
// Two that exclude each other, between a writer and a reader.
#include <assert.h>
#include <stdio.h>

int x, y;

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x)
        x = 1;
#pragma omp task depend(mutexinoutset : x)
        x += 10;
#pragma omp task depend(mutexinoutset : x)
        x += 20;
#pragma omp task depend(in : x)
        y = x;
    }
    assert(y == 31);
    printf("%d\n", y);
    return 0;
}
