// proposal: reduction(+ : sum) at inner_for.c:9
#include <stdio.h>

int main(void)
{
    int sum = 0;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 3; i++)
            sum += i;
    }
    printf("%d\n", sum);
    return 0;
}
