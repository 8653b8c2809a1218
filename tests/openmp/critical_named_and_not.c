// expect: bug race names: shared
// A section without a name is not excluded by one that has a name.
#include <stdio.h>

int shared;

int main(void)
{
#pragma omp parallel sections
    {
#pragma omp section
        {
#pragma omp critical
            shared++;
        }
#pragma omp section
        {
#pragma omp critical(other)
            shared++;
        }
    }
    printf("%d\n", shared);
    return 0;
}
