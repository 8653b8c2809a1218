// expect: bug assertion
// What threads do to their own copies is gone after the loop.
#include <assert.h>

int main(void)
{
    int x = 5;
#pragma omp parallel for firstprivate(x)
    for (int i = 0; i < 2; i++)
        x += i;
    assert(x != 5);
    return 0;
}
