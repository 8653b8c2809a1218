// expect: bug race
// The tasks share the variable of the loop, which goes on while they run.
#include <stdio.h>

int sum;

static int value(const int *at)
{
    return *at;
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
        int i;
        for (i = 0; i < 2; i++) {
#pragma omp task shared(i)
            {
#pragma omp atomic
                sum += value(&i);
            }
        }
#pragma omp taskwait
    }
    printf("%d\n", sum);
    return 0;
}
