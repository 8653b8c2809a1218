// expect: verified
// A lock around a counter, one that is only tried, and one that its owner may take again.
#include <assert.h>
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static omp_nest_lock_t nest;
static int n, tried, deep;

static void count(int more)
{
    omp_set_nest_lock(&nest);
    deep++;
    if (more)
        count(more - 1);
    omp_unset_nest_lock(&nest);
}

int main(void)
{
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(2)
    {
        omp_set_lock(&lock);
        n++;
        omp_unset_lock(&lock);
        if (omp_test_lock(&lock)) {
            tried++;
            omp_unset_lock(&lock);
        }
        count(1);
    }
    assert(n == 2 && tried >= 1 && deep == 4);
    assert(omp_test_nest_lock(&nest) == 1 && omp_test_nest_lock(&nest) == 2);
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_destroy_nest_lock(&nest);
    omp_destroy_lock(&lock);
    printf("%d %d\n", n, deep);
    return 0;
}
