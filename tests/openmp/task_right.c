// expect: verified
// A sum over a list, a task an element; taskwait, and the barrier at the end.
#include <assert.h>
#include <stdio.h>

struct element {
    int value, twice;
    struct element *next;
} c = {3, 0, 0}, b = {2, 0, &c}, a = {1, 0, &b};

int main(void)
{
    int before_end = 0;
#pragma omp parallel
#pragma omp single
    {
        for (struct element *e = &a; e; e = e->next) {
#pragma omp task firstprivate(e)
            e->twice = 2 * e->value;
        }
#pragma omp taskwait
        before_end = a.twice + b.twice + c.twice;
#pragma omp task
        a.twice = 20;
    }
    assert(before_end == 12 && a.twice == 20);
    printf("%d %d\n", before_end, a.twice);
    return 0;
}
