// expect: bug assertion
// Each access is atomic, and both together are not.
#include <assert.h>

int n;

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int seen;
#pragma omp atomic read
        seen = n;
#pragma omp atomic write
        n = seen + 1;
    }
    assert(n == 2);
    return 0;
}
