// proposal: none
// A product that is divided: what is lost by the division depends on the order.
#include <stdio.h>

int main(void)
{
    int x = 20;
#pragma omp parallel for
    for (int i = 1; i < 4; i++)
        x = x * i / 2;
    printf("%d\n", x);
    return 0;
}
