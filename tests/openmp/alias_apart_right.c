// expect: verified
// Two pointers lead into one array, to parts that do not meet.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *a = malloc(8 * sizeof *a);
    memset(a, 0, 8 * sizeof *a);
    int *b = a + 4;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 4; i++)
        b[i] = a[i] + 1;
    assert(b[3] == 1);
    free(a);
    return 0;
}
