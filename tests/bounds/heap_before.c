// expect: verified
// A loop down to the first element.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(4 * sizeof *p), sum = 0;
    for (int i = 0; i < 4; i++)
        p[i] = i;
    for (int i = 3; i >= 0; i--)
        sum += p[i];
    free(p);
    return sum == 1000;
}
