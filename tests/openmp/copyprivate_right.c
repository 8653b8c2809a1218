// expect: verified
// One thread reads a value for all, several times.
#include <assert.h>
#include <stdio.h>

static int value, next = 5;
#pragma omp threadprivate(value)

int main(void)
{
    int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    for (int round = 0; round < 2; round++) {
        double half;
#pragma omp single copyprivate(value, half)
        {
            value = next++;
            half = value / 2.0;
        }
        assert(half * 2 == value);
        sum += value;
    }
    assert(sum == 22);
    printf("%d\n", sum);
    return 0;
}
