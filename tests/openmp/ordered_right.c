// expect: verified
// Iterations that have an ordered region and some that have none, with each schedule.
#include <assert.h>
#include <stdio.h>

int line[4], end;

int main(void)
{
#pragma omp parallel for ordered schedule(dynamic)
    for (int i = 0; i < 3; i++) {
#pragma omp ordered
        line[end++] = i;
    }
    assert(end == 3 && line[0] == 0 && line[1] == 1 && line[2] == 2);
    end = 0;
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 7; i > 3; i--) {
        if (i == 6)
            continue;
#pragma omp ordered
        line[end++] = i;
    }
    assert(end == 3 && line[0] == 7 && line[1] == 5 && line[2] == 4);
    end = 0;
#pragma omp parallel for ordered
    for (unsigned i = 0; i < 3; i++) {
#pragma omp ordered
        line[end++] = (int)i;
    }
    assert(end == 3 && line[2] == 2);
    printf("%d\n", line[2]);
    return 0;
}
