// expect: verified
// A value is handed over by an atomic flag with a flush on both sides.
#include <assert.h>
#include <stdio.h>

int value, ready;

int main(void)
{
    int seen = 0;
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        {
            value = 5;
#pragma omp flush
#pragma omp atomic write
            ready = 1;
        }
#pragma omp section
        {
            int now;
#pragma omp atomic read
            now = ready;
#pragma omp flush
            seen = now ? value : -1;
        }
    }
    assert(seen == 5 || seen == -1);
    puts("done");
    return 0;
}
