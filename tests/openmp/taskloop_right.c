// expect: verified
// By number and by size, upwards and downwards, of no iterations, undeferred; lastprivate; a taskloop waits for its tasks.
#include <assert.h>
#include <stdio.h>

int a[8];

int main(void)
{
    int last = -1, down = -1, none = 3;
    unsigned long long far = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop num_tasks(2) lastprivate(last)
        for (int i = 0; i < 5; i++)
            last = a[i] = i + 1;
        assert(a[0] == 1 && a[4] == 5 && last == 5);
#pragma omp taskloop grainsize(2) lastprivate(down)
        for (int i = 7; i >= 5; i--)
            down = a[i] = i;
        assert(a[7] == 7 && a[5] == 5 && down == 5);
#pragma omp taskloop lastprivate(none)
        for (int i = 4; i < 4; i++)
            none = i;
#pragma omp taskloop if (0) lastprivate(far)
        for (unsigned long long i = 0xfffffffffffffff0; i < 0xfffffffffffffff8; i += 3)
            far = i;
        assert(far == 0xfffffffffffffff6);
    }
    assert(none == 3);
    printf("%d %d %d %llu\n", last, down, none, far);
    return 0;
}
