#include <assert.h>
#include <omp.h>

extern int shared;
void add(void);
int who(void), run(void);

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        assert(who() == 10 * omp_get_thread_num() + 2);
        add();
#pragma omp critical(both)
        shared++;
    }
    assert(run() == 1 && shared == 6);
    return 0;
}
