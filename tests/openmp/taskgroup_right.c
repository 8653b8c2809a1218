// expect: verified
#include <assert.h>
#include <stdio.h>

int deep, outer;

int main(void)
{
    int seen = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
        {
#pragma omp task
            {
#pragma omp taskgroup
                {
#pragma omp task
                    deep = 1;
                }
                outer = deep + 1;
            }
        }
        seen = deep + outer;
    }
    assert(seen == 3);
    printf("%d\n", seen);
    return 0;
}
