// expect: bug race names: own
#include <omp.h>
#include <stdio.h>

static int own = 3;

int main(void)
{
    int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        own += omp_get_thread_num();
        sum += own;
    }
    printf("%d\n", sum);
    return 0;
}
