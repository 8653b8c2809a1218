// proposal: none
// It is written in the outer loop and read in the inner one, again after the region.
#include <stdio.h>

int main(void)
{
    int a[4] = {0}, t;
    for (int round = 0; round < 2; round++) {
        t = 0;
        for (int k = 0; k < 2; k++) {
            a[0] += t;
#pragma omp parallel for
            for (int i = 1; i < 4; i++) {
                t = i * i;
                a[i] = t;
            }
        }
    }
    printf("%d\n", a[0]);
    return 0;
}
