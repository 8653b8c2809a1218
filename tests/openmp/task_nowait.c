// expect: bug race names: result
// Reads the result of a task that it has not waited for.
#include <stdio.h>

int result;

int main(void)
{
    int seen = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        result = 7;
        seen = result;
    }
    printf("%d\n", seen);
    return 0;
}
