// proposal: private(square) at scratch.c:7
#include <stdio.h>

int main(void)
{
    int a[4], square;
#pragma omp parallel for
    for (int i = 0; i < 4; i++) {
        square = i * i;
        a[i] = square;
    }
    printf("%d\n", a[3]);
    return 0;
}
