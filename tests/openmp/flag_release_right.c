// expect: verified
// A flag that is released and acquired orders what came before.
#include <assert.h>

int main(void)
{
    int data = 0, flag = 0;
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        {
            data = 1;
#pragma omp atomic write release
            flag = 1;
        }
#pragma omp section
        {
            int f;
#pragma omp atomic read acquire
            f = flag;
            if (f)
                assert(data == 1);
        }
    }
    return 0;
}
