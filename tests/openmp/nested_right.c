// expect: verified
// A team in each thread of a team, with its own barriers and loops.
#include <assert.h>
#include <omp.h>
#include <stdio.h>

int cell[2][2], levels;

int main(void)
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        int row = omp_get_thread_num();
#pragma omp parallel num_threads(2) if (row == 0)
        {
            assert(omp_get_level() == 2 && omp_get_ancestor_thread_num(1) == row);
            assert(omp_get_num_threads() == (row ? 1 : 2) && omp_get_active_level() == (row ? 1 : 2));
#pragma omp for
            for (int i = 0; i < 2; i++)
                cell[row][i] = 10 * row + i;
        }
        assert(cell[row][1] == 10 * row + 1);
    }
    assert(omp_get_level() == 0 && !omp_in_parallel());
    printf("%d %d\n", cell[0][1], cell[1][1]);
    return 0;
}
