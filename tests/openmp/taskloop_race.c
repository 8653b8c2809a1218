// expect: bug race names: sum
#include <stdio.h>

int sum;

int main(void)
{
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(2)
    for (int i = 0; i < 4; i++)
        sum += i;
    printf("%d\n", sum);
    return 0;
}
