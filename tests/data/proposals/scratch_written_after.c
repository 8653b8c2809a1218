// proposal: private(t) at scratch_written_after.c:7
#include <stdio.h>

int main(void)
{
    int a[4], t;
#pragma omp parallel for
    for (int i = 0; i < 4; i++) {
        t = i * i;
        a[i] = t;
    }
    for (t = 0; t < 4; t++)
        printf("%d\n", a[t]);
    return 0;
}
