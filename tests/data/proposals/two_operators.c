// proposal: none
// Adding and multiplying do not go together.
#include <stdio.h>

int main(void)
{
    int n = 1;
#pragma omp parallel for
    for (int i = 0; i < 4; i++) {
        n += i;
        n *= 2;
    }
    printf("%d\n", n);
    return 0;
}
