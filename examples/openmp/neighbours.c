// Each element depends on the one before it: the iterations are not independent, and may not be shared among threads.
#include <stdio.h>

enum { N = 8 };

static int a[N] = {1, 1, 1, 1, 1, 1, 1, 1};

int main(void)
{
#pragma omp parallel for schedule(dynamic, 2)
    for (int i = 1; i < N; i++)
        a[i] += a[i - 1];
    printf("%d\n", a[N - 1]);
    return 0;
}
