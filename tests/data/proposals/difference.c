// proposal: reduction(+ : left) at difference.c:7
#include <stdio.h>

int main(void)
{
    int left = 20;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 3; i++)
        left -= i;
    printf("%d\n", left);
    return left != 17;
}
