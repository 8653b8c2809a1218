// expect: verified
// An untied task that its creator executes at once. (libomp 14 fails an assertion of its own here.)
#include <assert.h>

static int sum;

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task untied if (0)
        {
            sum++;
#pragma omp taskyield
            sum++;
        }
        assert(sum == 2);
    }
}
