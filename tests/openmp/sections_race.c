// expect: bug race names: next
#include <stdio.h>

int next;

int main(void)
{
#pragma omp parallel sections
    {
#pragma omp section
        next = 1;
#pragma omp section
        next = 2;
    }
    printf("%d\n", next);
    return 0;
}
