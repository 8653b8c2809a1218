// proposal: none
// Where the maximum stands belongs to it; of two equal ones the first.
#include <stdio.h>

int main(void)
{
    int v[4] = {3, 7, 7, 5}, most = 0, at = 0;
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        if (v[i] > most) {
            most = v[i];
            at = i;
        }
    printf("%d %d\n", most, at);
    return 0;
}
