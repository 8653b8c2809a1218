// proposal: private(t) at sum_and_scratch.c:7, reduction(+ : sum) at sum_and_scratch.c:7
#include <stdio.h>

int main(void)
{
    int sum = 0, t;
#pragma omp parallel for
    for (int i = 0; i < 4; i++) {
        t = 2 * i;
        sum = sum + t;
    }
    printf("%d\n", sum);
    return 0;
}
