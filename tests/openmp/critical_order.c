// expect: bug deadlock
// Two named sections are entered in both orders.
#include <stdio.h>

int a, b;

int main(void)
{
#pragma omp parallel sections
    {
#pragma omp section
        {
#pragma omp critical(first)
            {
                a++;
#pragma omp critical(second)
                b++;
            }
        }
#pragma omp section
        {
#pragma omp critical(second)
            {
                b++;
#pragma omp critical(first)
                a++;
            }
        }
    }
    printf("%d %d\n", a, b);
    return 0;
}
