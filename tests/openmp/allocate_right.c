// expect: verified
// Memory from allocators of OpenMP.
#include <assert.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    int sum = 0;
    int *v = omp_alloc(4 * sizeof *v, omp_default_mem_alloc);
    omp_allocator_handle_t own = omp_init_allocator(omp_default_mem_space, 0, NULL);
    int *w = omp_alloc(sizeof *w, own);
    assert(v && w);
    *w = 5;
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        v[i] = i;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        sum += v[3] + *w;
    }
    assert(sum == 16);
    printf("%d\n", sum);
    omp_free(w, own);
    omp_destroy_allocator(own);
    omp_free(v, omp_default_mem_alloc);
    return 0;
}
