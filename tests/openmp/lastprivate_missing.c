// expect: bug race names: last
#include <stdio.h>

int main(void)
{
    int last = 0;
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        last = i;
    printf("%d\n", last);
    return 0;
}
