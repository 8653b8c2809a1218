// expect: bug deadlock
#include <omp.h>
#include <stdio.h>

static omp_lock_t left, right;
static int n;

int main(void)
{
    omp_init_lock(&left);
    omp_init_lock(&right);
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();
        omp_lock_t *first = me ? &left : &right, *second = me ? &right : &left;
        omp_set_lock(first);
        omp_set_lock(second);
        n++;
        omp_unset_lock(second);
        omp_unset_lock(first);
    }
    printf("%d\n", n);
    return 0;
}
