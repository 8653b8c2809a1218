// expect: verified
// Not every iteration has an ordered region.
#include <assert.h>

int main(void)
{
    int n = 0;
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < 4; i++) {
        if (i % 2) {
#pragma omp ordered
            n += i;
        }
    }
    assert(n == 4);
    return 0;
}
