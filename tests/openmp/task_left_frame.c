// expect: bug
// The function is left while its task may still add to its variable; the next call has its variable there.
#include <stdio.h>

int total;

static void __attribute__((noinline)) start(int n)
{
    int local = n;
#pragma omp task shared(local)
    {
        local++;
#pragma omp atomic
        total += local;
    }
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
        start(1);
        start(2);
    }
    printf("%d\n", total);
    return 0;
}
