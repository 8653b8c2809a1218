// expect: verified
// Of a `single` in a loop, each round has its own thread, and everybody waits.
#include <assert.h>
#include <stdio.h>

int size, seen[2];

int main(void)
{
#pragma omp parallel num_threads(2)
    for (int round = 1; round < 4; round++) {
#pragma omp single
        size += round;
#pragma omp for schedule(static)
        for (int i = 0; i < 2; i++)
            seen[i] = size;
    }
    assert(seen[0] == 6 && seen[1] == 6);
    printf("%d\n", seen[0]);
    return 0;
}
