// proposal: none
// Somebody else reads it by its address.
#include <stdio.h>

static int seen(const int *t)
{
    return *t;
}

int main(void)
{
    int a[4], t;
#pragma omp parallel for
    for (int i = 0; i < 4; i++) {
        t = i * i;
        a[i] = seen(&t);
    }
    printf("%d\n", a[3]);
    return 0;
}
