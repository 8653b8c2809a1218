// expect: verified
// A task of a group waits for one that is older than the group, in a team of one thread.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int x = 0;
#pragma omp parallel num_threads(1)
    {
#pragma omp task depend(out : x)
        x = 1;
#pragma omp taskgroup
        {
#pragma omp task depend(inout : x)
            x = 2 * x;
        }
        assert(x == 2);
    }
    printf("%d\n", x);
    return 0;
}
