// proposal: none
// The sums so far are kept: no reduction, and no order of atomic additions gives them.
#include <stdio.h>

int main(void)
{
    int sum = 0, so_far[4];
#pragma omp parallel for
    for (int i = 0; i < 4; i++) {
        sum += i;
        so_far[i] = sum;
    }
    printf("%d %d\n", sum, so_far[0]);
    return 0;
}
