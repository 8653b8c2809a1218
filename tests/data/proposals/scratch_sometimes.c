// proposal: none
// An iteration that does not write reads what another one wrote.
#include <stdio.h>

int main(void)
{
    int a[4], t = 0;
#pragma omp parallel for
    for (int i = 0; i < 4; i++) {
        if (i != 2)
            t = i * i;
        a[i] = t;
    }
    printf("%d\n", a[3]);
    return 0;
}
