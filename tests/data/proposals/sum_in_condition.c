// proposal: none
// Whether something is added depends on what was added before.
#include <stdio.h>

int main(void)
{
    int sum = 0;
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        if (sum < 3)
            sum += i;
    printf("%d\n", sum);
    return 0;
}
