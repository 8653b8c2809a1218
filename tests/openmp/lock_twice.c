// expect: bug deadlock
// A simple lock that its owner takes again.
#include <omp.h>
#include <stdio.h>

int main(void)
{
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    {
        omp_set_lock(&lock);
        omp_set_lock(&lock);
        omp_unset_lock(&lock);
        omp_unset_lock(&lock);
    }
    puts("done");
    return 0;
}
