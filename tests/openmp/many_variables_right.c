// expect: verified
// More shared variables than there are registers, and than most runtimes like.
#include <assert.h>
#include <stdio.h>

#define EIGHT(x) x##0, x##1, x##2, x##3, x##4, x##5, x##6, x##7
#define SUM(x) (x##0 + x##1 + x##2 + x##3 + x##4 + x##5 + x##6 + x##7)

static void fill(int n, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, n);
    for (int i = 0; i < n; i++)
        *__builtin_va_arg(list, int *) = i;
    __builtin_va_end(list);
}

int main(void)
{
    int EIGHT(a), EIGHT(b), EIGHT(c), EIGHT(d), EIGHT(e), sum = 0;
    fill(40, EIGHT(&a), EIGHT(&b), EIGHT(&c), EIGHT(&d), EIGHT(&e));
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += SUM(a) + SUM(b) + SUM(c) + SUM(d) + SUM(e);
    assert(sum == 1560);
    printf("%d\n", sum);
    return 0;
}
