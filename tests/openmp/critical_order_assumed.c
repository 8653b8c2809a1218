// expect: bug assertion
// Critical regions exclude each other, and come in any order.
#include <assert.h>

int main(void)
{
    int list[4], n = 0;
#pragma omp parallel for schedule(dynamic) num_threads(2)
    for (int i = 0; i < 3; i++) {
#pragma omp critical
        list[n++] = i;
    }
    assert(list[0] == 0);
    return 0;
}
