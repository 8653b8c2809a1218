// expect: bug race names: size
// Nobody waits for the one who sets the size.
#include <stdio.h>

int size, seen[2];

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp single nowait
        size = 4;
#pragma omp for schedule(static)
        for (int i = 0; i < 2; i++)
            seen[i] = size;
    }
    printf("%d\n", seen[0]);
    return 0;
}
