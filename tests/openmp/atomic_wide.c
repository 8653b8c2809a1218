// expect: verified
// No instruction adds to such a number. (clang has no library for it by itself, so this is not run natively.)
#include <assert.h>

long double wide;

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp atomic
        wide += 2;
    }
    assert(wide == 4);
    return 0;
}
