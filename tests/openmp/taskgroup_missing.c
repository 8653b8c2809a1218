// expect: bug race names: deep
// taskwait waits for children, not for their children.
#include <stdio.h>

int deep;

int main(void)
{
    int seen = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
#pragma omp task
            deep = 1;
        }
#pragma omp taskwait
        seen = deep;
    }
    printf("%d\n", seen);
    return 0;
}
