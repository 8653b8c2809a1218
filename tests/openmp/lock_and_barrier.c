// expect: bug deadlock
// A barrier inside of a lock that the others need to come to it.
#include <omp.h>
#include <stdio.h>

int main(void)
{
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    {
        omp_set_lock(&lock);
#pragma omp barrier
        omp_unset_lock(&lock);
    }
    puts("done");
    return 0;
}
