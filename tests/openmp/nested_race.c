// expect: bug race names: n
// The inner teams have a critical section each for itself, they think; the variable is the same, and so is the lock. One
// thread of the outer team does without.
#include <omp.h>
#include <stdio.h>

int n;

int main(void)
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(2)
#pragma omp critical
            n++;
        } else {
            n++;
        }
    }
    printf("%d\n", n);
    return 0;
}
