// proposal: none
// Which number an iteration gets depends on the order, whatever is put around it.
#include <stdio.h>

int main(void)
{
    int list[4], n = 0;
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        list[n++] = i;
    printf("%d\n", list[0]);
    return 0;
}
