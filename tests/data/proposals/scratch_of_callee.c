// proposal: none
// The function that is called reads the variable of the file, which would not be the copy.
#include <stdio.h>

static int t;

__attribute__((noinline)) static int seen(void)
{
    return t;
}

int main(void)
{
    int a[4];
#pragma omp parallel for
    for (int i = 0; i < 4; i++) {
        t = i * i;
        a[i] = seen();
    }
    printf("%d\n", a[3]);
    return 0;
}
