// expect: bug deadlock
// A critical section inside of a lock, and a lock inside of the critical section.
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static int n;

int main(void)
{
    omp_init_lock(&lock);
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        {
            omp_set_lock(&lock);
#pragma omp critical
            n++;
            omp_unset_lock(&lock);
        }
#pragma omp section
        {
#pragma omp critical
            {
                omp_set_lock(&lock);
                n++;
                omp_unset_lock(&lock);
            }
        }
    }
    printf("%d\n", n);
    return 0;
}
