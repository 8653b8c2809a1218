// expect: bug race
// A flag that is written and read atomically, but relaxed, orders nothing.
#include <assert.h>

int main(void)
{
    int data = 0, flag = 0;
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        {
            data = 1;
#pragma omp atomic write relaxed
            flag = 1;
        }
#pragma omp section
        {
            int f;
#pragma omp atomic read relaxed
            f = flag;
            if (f)
                assert(data == 1);
        }
    }
    return 0;
}
