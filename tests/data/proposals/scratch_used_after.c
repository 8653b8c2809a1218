// proposal: none
// The value of the last iteration is wanted afterwards.
#include <stdio.h>

int main(void)
{
    int a[4], square;
#pragma omp parallel for
    for (int i = 0; i < 4; i++) {
        square = i * i;
        a[i] = square;
    }
    printf("%d %d\n", a[3], square);
    return 0;
}
