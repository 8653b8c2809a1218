// expect: verified
// A lock for each element.
#include <assert.h>
#include <omp.h>

int main(void)
{
    omp_lock_t l[2];
    int a[2] = {0};
    for (int i = 0; i < 2; i++)
        omp_init_lock(&l[i]);
#pragma omp parallel for
    for (int i = 0; i < 4; i++) {
        omp_set_lock(&l[i % 2]);
        a[i % 2]++;
        omp_unset_lock(&l[i % 2]);
    }
    for (int i = 0; i < 2; i++)
        omp_destroy_lock(&l[i]);
    assert(a[0] == 2);
    return 0;
}
