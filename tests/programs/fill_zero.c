// expect: verified options: --fill zero
// What fresh memory holds can be chosen: here nothing.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(8 * sizeof *p);
    assert(p && !p[0] && !p[7]);
    p = realloc(p, 32 * sizeof *p);
    assert(p && !p[31]);
}
