// expect: bug race names: size
// There is no barrier at the end of a master construct.
#include <stdio.h>

int size, sum;

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        size = 4;
#pragma omp atomic
        sum += size;
    }
    printf("%d\n", sum);
    return 0;
}
