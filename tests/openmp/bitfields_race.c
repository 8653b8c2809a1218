// expect: bug race
// Two members of one word are two variables to C, and one to the processor.
#include <assert.h>

int main(void)
{
    static struct {
        int x : 4, y : 4;
    } s;
#pragma omp parallel sections
    {
#pragma omp section
        s.x = 1;
#pragma omp section
        s.y = 2;
    }
    assert(s.x + s.y == 3);
    return 0;
}
