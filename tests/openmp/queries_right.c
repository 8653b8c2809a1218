// expect: verified
// What the functions answer that ask for the state of things.
#include <assert.h>
#include <omp.h>
#include <stdio.h>

static void tell(const char *where)
{
    printf("%s: %d of %d, most %d, level %d, active %d, parallel %d, ancestor %d %d, team %d %d\n", where,
           omp_get_thread_num(), omp_get_num_threads(), omp_get_max_threads(), omp_get_level(), omp_get_active_level(),
           omp_in_parallel(), omp_get_ancestor_thread_num(0), omp_get_ancestor_thread_num(1), omp_get_team_size(0),
           omp_get_team_size(1));
}

int main(void)
{
    omp_sched_t kind;
    int chunk;
    omp_set_dynamic(0);
    omp_set_num_threads(2);
    omp_set_max_active_levels(1);
    omp_set_schedule(omp_sched_static, 3);
    tell("outside");
#pragma omp parallel
    {
#pragma omp master
        tell("two");
        omp_set_num_threads(5);
        if (omp_get_thread_num() == 0) {
            assert(omp_get_max_threads() == 5);
#pragma omp parallel
            tell("inner");
        }
#pragma omp barrier
#pragma omp single
#pragma omp task
        {
            omp_set_num_threads(7);
            assert(omp_get_max_threads() == 7);
        }
        assert(omp_get_max_threads() == 5);
    }
    tell("after");
#pragma omp parallel if (0)
    tell("alone");
#pragma omp parallel num_threads(1)
    tell("one");
    omp_get_schedule(&kind, &chunk);
    printf("%d %d\n", (int)kind & 7, chunk);
    omp_set_schedule(omp_sched_auto, 0);
    omp_get_schedule(&kind, &chunk);
    printf("%d\n", (int)kind & 7);
    printf("%d %d %d %d %d\n", omp_get_dynamic(), omp_get_max_active_levels(), omp_get_ancestor_thread_num(3),
           omp_get_team_size(-1), omp_in_final());
    printf("%d\n", omp_get_wtime() >= 0 && omp_get_wtick() > 0);
    return 0;
}
