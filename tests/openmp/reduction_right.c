// expect: verified
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 4; i++)
        sum += i;
    assert(sum == 6);
    printf("%d\n", sum);
    return 0;
}
