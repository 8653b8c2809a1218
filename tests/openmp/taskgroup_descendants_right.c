// expect: verified
// taskgroup waits for descendants as well.
#include <assert.h>

int main(void)
{
    int x = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp taskgroup
        {
#pragma omp task shared(x)
            {
#pragma omp task shared(x)
                x = 1;
            }
        }
        assert(x == 1);
    }
    return 0;
}
