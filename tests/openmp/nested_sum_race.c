// expect: bug race
// The inner regions add up by a reduction, the outer one does not.
#include <omp.h>

int main(void)
{
    int s = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        int mine = 0;
#pragma omp parallel num_threads(2) reduction(+ : mine)
        mine++;
        s += mine;
    }
    (void)s;
    return 0;
}
