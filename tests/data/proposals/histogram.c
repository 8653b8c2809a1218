// proposal: atomic in front of histogram.c:11
#include <stdio.h>

static int count[2];

int main(void)
{
    static const int of[4] = {0, 1, 1, 0};
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        count[of[i]]++;
    printf("%d %d\n", count[0], count[1]);
    return 0;
}
