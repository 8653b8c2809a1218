// proposal: none
// The next round begins with what the last one has left.
#include <stdio.h>

int main(void)
{
    int a[4], t = 0;
    for (int round = 0; round < 2; round++) {
        a[0] = t;
#pragma omp parallel for
        for (int i = 0; i < 4; i++) {
            t = i * i;
            a[i] = t;
        }
    }
    printf("%d\n", a[3]);
    return 0;
}
