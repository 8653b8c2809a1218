// expect: bug race names: a\[
#include <stdio.h>

static int a[4] = {1, 1, 1, 1};

static void shift(int by)
{
#pragma omp parallel for if (by > 0)
    for (int i = by; i < 4; i++)
        a[i] += a[i - by];
}

int main(void)
{
    shift(1);
    printf("%d\n", a[3]);
    return 0;
}
