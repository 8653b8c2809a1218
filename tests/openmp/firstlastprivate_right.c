// expect: verified
// Values go in by firstprivate and come out by lastprivate, of loops and sections.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int a[5], base = 10, last = -1, index = -1, which = 0;
#pragma omp parallel for firstprivate(base) lastprivate(last, index)
    for (int i = 0; i < 5; i++) {
        last = base + i;
        a[i] = last;
        index = i;
    }
    assert(a[0] == 10 && a[4] == 14 && last == 14 && index == 4 && base == 10);
#pragma omp parallel for schedule(dynamic, 2) lastprivate(index)
    for (int i = 9; i > 0; i -= 4)
        index = i;
    assert(index == 1);
#pragma omp parallel sections lastprivate(which)
    {
#pragma omp section
        which = 1;
#pragma omp section
        which = 2;
    }
    assert(which == 2);
    printf("%d %d %d\n", last, index, which);
    return 0;
}
