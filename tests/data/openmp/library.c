// A library with OpenMP, which main.c calls inside and outside of its own regions.
#include <omp.h>

int shared;

void add(void)
{
#pragma omp critical(both)
    shared++;
}

int who(void)
{
    return 10 * omp_get_thread_num() + omp_get_num_threads();
}

int run(void)
{
    int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        add();
        sum += omp_get_thread_num();
    }
    return sum;
}
