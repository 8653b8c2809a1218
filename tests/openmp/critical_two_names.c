// expect: bug race names: shared
// Two critical sections with different names do not exclude each other.
#include <stdio.h>

int shared;

int main(void)
{
#pragma omp parallel sections
    {
#pragma omp section
        {
#pragma omp critical(one)
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
