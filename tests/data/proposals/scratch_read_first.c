// proposal: none
// Each iteration reads what the one before has left: order matters.
#include <stdio.h>

int main(void)
{
    int a[4], last = 0;
#pragma omp parallel for
    for (int i = 0; i < 4; i++) {
        a[i] = last;
        last = i;
    }
    printf("%d\n", a[3]);
    return 0;
}
