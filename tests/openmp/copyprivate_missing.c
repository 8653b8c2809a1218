// expect: bug assertion
// Without copyprivate only one thread has the value.
#include <assert.h>
#include <stdio.h>

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int value = 0;
#pragma omp single
        value = 5;
        assert(value == 5);
    }
    puts("done");
    return 0;
}
