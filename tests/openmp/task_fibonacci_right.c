// expect: verified
// Tasks in tasks, with a taskwait in each.
#include <assert.h>
#include <stdio.h>

static int fib(int n)
{
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a)
    a = fib(n - 1);
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

int main(void)
{
    int result = 0;
#pragma omp parallel
#pragma omp single
    result = fib(3);
    assert(result == 2);
    printf("%d\n", result);
    return 0;
}
