// proposal: none
// The sum can be mended, the rest cannot.
#include <stdio.h>

int main(void)
{
    int sum = 0, a[5] = {1, 1, 1, 1, 1};
#pragma omp parallel for
    for (int i = 1; i < 5; i++) {
        sum += i;
        a[i] = a[i - 1] + 1;
    }
    printf("%d %d\n", sum, a[4]);
    return 0;
}
