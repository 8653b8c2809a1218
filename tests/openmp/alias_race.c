// expect: bug race
// Two pointers lead into one array, and the loop reads by the one what it writes by the other.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *a = malloc(8 * sizeof *a);
    memset(a, 0, 8 * sizeof *a);
    int *b = a + 1;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 7; i++)
        b[i] = a[i] + 1;
    free(a);
    return 0;
}
