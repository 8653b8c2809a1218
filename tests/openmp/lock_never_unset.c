// expect: bug deadlock
// One thread forgets to let a lock go.
#include <omp.h>

int main(void)
{
    omp_lock_t l;
    omp_init_lock(&l);
#pragma omp parallel num_threads(2)
    {
        omp_set_lock(&l);
        if (omp_get_thread_num())
            omp_unset_lock(&l);
    }
    return 0;
}
