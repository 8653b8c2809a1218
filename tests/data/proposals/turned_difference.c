// proposal: none
// Each turns the sign of what the others had.
#include <stdio.h>

int main(void)
{
    int x = 20;
#pragma omp parallel for
    for (int i = 0; i < 3; i++)
        x = i - x;
    printf("%d\n", x);
    return 0;
}
