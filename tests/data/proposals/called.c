// proposal: atomic in front of called.c:8
#include <stdio.h>

static int total;

static void add(int n)
{
    total += n;
}

int main(void)
{
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        add(i);
    printf("%d\n", total);
    return 0;
}
