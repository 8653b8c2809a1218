// proposal: none
// The numbers depend on the order.
#include <stdio.h>

int main(void)
{
    unsigned seed = 1;
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        seed = seed * 5 + 3;
    printf("%u\n", seed);
    return 0;
}
