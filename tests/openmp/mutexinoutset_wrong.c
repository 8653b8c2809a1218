// expect: bug assertion
// They exclude each other, but nothing says which is first.
#include <assert.h>

int x = 1;

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(mutexinoutset : x)
        x += 1;
#pragma omp task depend(mutexinoutset : x)
        x *= 2;
    }
    assert(x == 4);
    return 0;
}
