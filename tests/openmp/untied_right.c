// expect: verified
// Untied tasks, which clang compiles as several parts: with children, dependences and exclusion.
#include <assert.h>

static int x, y;

static void in_parts(void)
{
#pragma omp task untied depend(out : x)
    {
        int own = 5;
#pragma omp task shared(own)
        own++;
#pragma omp taskwait
        x = own;
    }
#pragma omp task untied depend(mutexinoutset : y)
    {
        y++;
#pragma omp taskyield
        y++;
    }
#pragma omp task depend(mutexinoutset : y)
    y++;
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    in_parts();
    assert(x == 6 && y == 3);
}
