// expect: verified
// One name in two places, another name for another variable, and one inside of the other.
#include <assert.h>
#include <stdio.h>

int shared, other;

static void count(void)
{
#pragma omp critical(both)
    shared++;
}

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        count();
#pragma omp critical(outer)
        {
            other++;
#pragma omp critical(both)
            shared++;
        }
    }
    assert(shared == 4 && other == 2);
    printf("%d %d\n", shared, other);
    return 0;
}
