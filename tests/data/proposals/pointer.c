// proposal: atomic in front of pointer.c:10
// There is no reduction of pointers.
#include <stdio.h>

int main(void)
{
    int a[8], *at = a;
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        at += 1;
    printf("%d\n", (int)(at - a));
    return 0;
}
