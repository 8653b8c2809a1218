// expect: bug
// Only one thread comes to the barrier, which the rules forbid.
#include <omp.h>
#include <stdio.h>

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp barrier
        }
#pragma omp barrier
    }
    puts("done");
    return 0;
}
