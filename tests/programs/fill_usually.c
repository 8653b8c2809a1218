// expect: bug assertion
// Without --fill fresh memory holds something, so that a program that relies on zeros fails.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(8 * sizeof *p);
    assert(p && !p[0]);
}
