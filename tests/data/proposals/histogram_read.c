// proposal: none
// What is read beside the update would still race.
#include <stdio.h>

static int count[2];

int main(void)
{
    int seen[4];
#pragma omp parallel for
    for (int i = 0; i < 4; i++) {
        count[i % 2]++;
        seen[i] = count[1 - i % 2];
    }
    printf("%d %d\n", count[0], seen[0]);
    return 0;
}
