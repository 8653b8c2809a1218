// expect: bug race names: n
// Two locks for one counter.
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock[2];
static int n;

int main(void)
{
    omp_init_lock(&lock[0]);
    omp_init_lock(&lock[1]);
#pragma omp parallel num_threads(2)
    {
        int which = omp_get_thread_num();
        omp_set_lock(&lock[which]);
        n++;
        omp_unset_lock(&lock[which]);
    }
    printf("%d\n", n);
    return 0;
}
