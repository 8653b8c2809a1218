// proposal: none
// The directive goes over two lines.
#include <stdio.h>

int main(void)
{
    int sum = 0;
#pragma omp parallel for \
    schedule(static)
    for (int i = 0; i < 4; i++) sum += i;
    printf("%d\n", sum);
    return 0;
}
